#pragma once

#include <string>

namespace sulcus::toolkits {

/// The reason in the description of an ITK exception, without class names and line breaks.
std::string itkReason(std::string description);

}  // namespace sulcus::toolkits
