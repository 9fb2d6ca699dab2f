#pragma once

#include "core/base/provenance.h"
#include "ui/model/runs/run_controller.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A run in a folder: the files that the command line writes and, in inputs/, inputs that have no file of
// their own. For workers.
namespace sulcus::ui::jobs {

/// Writes a run as it is shown to a folder that does not contain one yet. For an adjusted run, files marked
/// ResultFile::adjustable are left out. Returns the layers that were written.
std::vector<Layer> saveRun(const model::Run& run, const std::filesystem::path& folder,
                           const Progress& progress);

/// What is needed to repeat a run, or, if Analysis::reopen suffices, the run itself.
struct SavedRun {
  Provenance provenance;                              ///< as returned by io::openProvenance()
  std::vector<std::pair<std::string, Layer>> inputs;  ///< by slot
  std::shared_ptr<RunResult> result;                  ///< null: it has to be run again
  std::vector<std::string> gone;  ///< slots whose input is gone or has changed; empty without a result
};

/// Opens a run that was saved in a folder, with its inputs.
///
/// @param analysisOf  the analysis of this name, or null
/// @throws Error      if the folder contains no run, or if an input is gone or has changed since and the run
///                    cannot be reopened without it
SavedRun openRun(const std::filesystem::path& folder,
                 const std::function<const Analysis*(const std::string&)>& analysisOf,
                 const Progress& progress);

}  // namespace sulcus::ui::jobs
