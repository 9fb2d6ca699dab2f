#pragma once

#include <string>

namespace sulcus::toolkits {

/// The reason that the description of an ITK exception gives, without class names and line breaks.
std::string itkReason(std::string description);

}  // namespace sulcus::toolkits
