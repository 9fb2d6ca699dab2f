#pragma once

#include "core/analysis/analysis.h"
#include "core/base/device_report.h"

#include <string>
#include <vector>

// The GPU of the window, which may stand elsewhere: a run there is a sulcus-cli of its own with --backend
// ssh:HOST.
namespace sulcus::app::elsewhere {

/// From now on the GPU is that of this machine: HOST or HOST/cpu (which has none: its processor stands in),
/// "" for the one here. Takes hold of the next run.
void useMachine(const std::string& machine);

/// The GPUs of the machine in use, or why there is none.
DeviceReport devices();

/// The analyses, whose GPU is that of the machine in use. A result from elsewhere is what its files hold:
/// without plots and sliders, and compared map by map.
std::vector<Analysis> movable(std::vector<Analysis> table);

/// Brings Sulcus to a machine; returns what is there, in lines. Throws Error.
std::string setUpMachine(const std::string& machine, const Progress& progress);

}  // namespace sulcus::app::elsewhere
