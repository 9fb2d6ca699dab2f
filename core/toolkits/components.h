#pragma once

#include "core/base/components.h"

namespace sulcus::toolkits {

/// The toolkits, including GDCM and HDF5 of sulcus-dicom.
std::vector<Component> components();

}  // namespace sulcus::toolkits
