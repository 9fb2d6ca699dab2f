#pragma once

#include "core/base/components.h"
#include "core/base/device_report.h"

#include <string>
#include <vector>

namespace sulcus {

/// The lines that --version and *About* show: the version of Sulcus (the first component), the libraries with
/// their versions and licenses, and the GPUs with their driver, or why there is none.
std::string aboutText(const std::vector<Component>& components, const DeviceReport& devices);

}  // namespace sulcus
