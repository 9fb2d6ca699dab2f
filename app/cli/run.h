#pragma once

#include "app/cli/cli_context.h"
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/stage_clock.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/result_folder.h"
#include "core/io/streams/staged_files.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

// The parts of an analysis command: its request, its results and their destination.
namespace sulcus::app::cli {

struct RunRequest;

/// How a command makes its result from files that are not all opened at once, instead of with Analysis::cpu
/// and gpu.
struct FileRun {
  /// Writes parts of the result to staged files and returns the rest. `complete` adds to a provenance what
  /// the command knows.
  std::function<RunResult(const RunRequest&, const OptionValues&,
                          const std::function<void(Provenance&)>& complete, const io::StagedFiles& outputs,
                          const Progress&)>
      make = {};
  /// Called when everything has been moved to its place.
  std::function<void(const RunRequest&)> published = {};
};

/// The request made by a command line.
struct RunRequest {
  const Analysis* analysis = nullptr;
  std::shared_ptr<const InputFiles> files;
  GivenOptions options;
  std::string out, backend = "cpu", preset, params, saveParams;
  std::string previews;  ///< folder for intermediate results, see PreviewFolder; "": none
  int threads = 0;
  std::vector<int> devices;          ///< CUDA devices among which a run is divided; none: the first
  std::optional<std::int64_t> seed;  ///< for an analysis without random numbers
  bool overwrite = false;
  io::ResultChoice choice;  ///< which files are written, and how
  FileRun fileRun;          ///< empty: the inputs are opened; on both backends they are in any case

  std::vector<Backend> backends() const;
  /// The folder of one backend's files, inside the output folder.
  std::filesystem::path folderOf(Backend which) const;
};

struct RunOutcome {
  AnalysisInputs inputs;
  std::vector<RunResult> results;                ///< one for each of RunRequest::backends()
  std::vector<std::vector<AgreementRow>> truth;  ///< for each result; empty rows without a truth
  std::optional<Comparison> comparison;
};

/// Adds the flags for how an analysis is run and which results are written: --backend, --threads, --device,
/// --params, --seed, --outputs, --uncompressed.
void addRunFlags(CLI::App& parser, RunRequest& request);

/// Refuses a choice of results that the analysis does not have. Throws Error.
void checkChoice(const RunRequest& request);

/// The requested parameters, after the checks that can be made before any work, except for the destination
/// (Destination) and the device (requireDevice()). Throws Error.
OptionValues valuesOf(const RunRequest& request);

/// Chooses the requested devices; throws Error, unavailable if a GPU is requested and there is none, usage if
/// one is named three times.
void requireDevice(const RunRequest& request);
/// The error for several devices when the CPU computes.
Error severalDevicesOnCpu();

/// Runs the analysis on each requested backend, and compares.
///
/// @param call  the whole command line, for provenance
RunOutcome compute(const RunRequest& request, AnalysisInputs inputs, const OptionValues& values,
                   const std::string& call, const Progress& progress);

/// Where everything goes; created before the work, so that a destination that is not writable, or would be
/// replaced without permission, is reported at once.
struct Destination {
  explicit Destination(const RunRequest& request);
  io::StagedFiles outputs;
  std::optional<io::AtomicFile> params;
};

/// What the run may write to the output folder, with `*` where its inputs determine a part of the name.
std::vector<std::string> resultNames(const RunRequest& request);

/// Writes everything and returns where it went.
///
/// @param waited the time waited so far, by stages; gets the stage "Write"
std::vector<std::filesystem::path> writeResults(const RunRequest& request, const OptionValues& values,
                                                const RunOutcome& outcome, StageClock& waited,
                                                Destination& destination, const Progress& progress);

/// Moves everything that was written to its destination and returns where it went.
std::vector<std::filesystem::path> publishResults(const RunRequest& request, const OptionValues& values,
                                                  Destination& destination);

/// The time waited, in s: by stage and in total.
nlohmann::ordered_json waitJson(const StageClock& waited);
/// The time waited with the stages of a run, and the part that was spent waiting for the GPU.
nlohmann::ordered_json waitJson(const StageClock& waited, const RunResult& result);
/// Prints the times, and where the results are.
void printWaited(const RunRequest& request, const StageClock& waited);

/// Prints the results and the times on standard output.
void printResults(const RunRequest& request, const RunOutcome& outcome, const StageClock& waited,
                  const std::vector<std::filesystem::path>& files, const CliContext& session);

}  // namespace sulcus::app::cli
