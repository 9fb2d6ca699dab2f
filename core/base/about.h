#pragma once

#include "core/base/components.h"
#include "core/base/device_report.h"

#include <string>
#include <vector>

namespace sulcus {

/// What --version and *About* show, in lines: the version of Sulcus, its first component; the libraries with
/// their versions and licenses; the GPUs and their driver, or why there is none.
std::string aboutText(const std::vector<Component>& components, const DeviceReport& devices);

}  // namespace sulcus
