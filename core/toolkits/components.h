#pragma once

#include "core/base/components.h"

namespace sulcus::toolkits {

/// The toolkits, and GDCM of sulcus-dicom.
std::vector<Component> components();

}  // namespace sulcus::toolkits
