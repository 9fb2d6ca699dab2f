#pragma once

#include "core/analysis/analysis.h"
#include "core/base/device_report.h"

#include <string>
#include <vector>

// The GPU of the window, which may be remote: a run there is a separate sulcus-cli with --backend ssh:HOST or
// slurm:HOST.
namespace sulcus::app::remote {

/// Sets where this thread does its next work, see remoteTargetOf(): the GPU of this place is used instead of
/// the local one, or with "/cpu" its CPU. "": this machine.
void usePlace(const std::string& place);

/// The GPUs of the place in use, or why there is none. Slurm counts as one of unknown memory.
DeviceReport devices();

/// The analyses on the chosen machine's GPU. A remote result is limited to its files, with the sliders and
/// plots that Analysis::reopen makes from them, and is compared map by map.
std::vector<Analysis> movable(std::vector<Analysis> table);

/// Installs Sulcus on the host of a place; returns what is available there, line by line. Throws Error.
std::string setUp(const std::string& place, const Progress& progress);

/// Throws Error (usage) for a text that does not name a remote machine.
void requirePlace(const std::string& place);

}  // namespace sulcus::app::remote
