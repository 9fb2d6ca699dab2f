#pragma once

#include "core/base/provenance.h"
#include "ui/model/runs/run_controller.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A run in a folder: what the command line writes, and in inputs/ what it was given that is in no file of its
// own. For workers.
namespace sulcus::ui::jobs {

/// Writes a run as it is shown into a folder that holds none yet. Of an adjusted one ResultFile::adjustable
/// are left out. Returns the layers that were written.
std::vector<Layer> saveRun(const model::Run& run, const std::filesystem::path& folder,
                           const Progress& progress);

/// What a run is made of again, or, where Analysis::reopen can do without, the run.
struct SavedRun {
  Provenance provenance;                              ///< as io::openProvenance() gives it
  std::vector<std::pair<std::string, Layer>> inputs;  ///< by slot
  std::shared_ptr<RunResult> result;                  ///< null: it has to be run again
  std::vector<std::string> gone;  ///< slots whose input is gone or has changed; none without a result
};

/// Opens a run that was saved in a folder, with its inputs.
///
/// @param analysisOf  the analysis of this name, or null
/// @throws Error  when the folder holds no run, or an input is gone or has changed since and it cannot be
///                reopened without
SavedRun openRun(const std::filesystem::path& folder,
                 const std::function<const Analysis*(const std::string&)>& analysisOf,
                 const Progress& progress);

}  // namespace sulcus::ui::jobs
