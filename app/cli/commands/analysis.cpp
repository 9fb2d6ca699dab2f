#include "app/analyses/devices.h"
#include "app/analyses/run_support.h"
#include "app/cli/commands.h"
#include "app/cli/descriptors.h"
#include "app/cli/previews.h"
#include "app/cli/progress.h"
#include "app/cli/run.h"
#include "app/cli/usage.h"
#include "app/remote/remote_target.h"
#include "app/remote/run.h"
#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/parallel/job_queue.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <optional>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

constexpr std::size_t kMostBytesGivenBack = 600'000'000;

/// Finds and starts the GPUs in parallel with what follows, such as reading, which takes as long.
class DeviceStart {
 public:
  explicit DeviceStart(const RunRequest& request)
      : queue_([](const std::function<void()>& call) { call(); }) {
    auto found = std::make_shared<std::promise<void>>();
    found_ = found->get_future();
    queue_.submit(
        [request = &request, found](const Progress&) {
          try {
            requireDevice(*request);
            found->set_value();
          } catch (...) {
            found->set_exception(std::current_exception());
            return false;
          }
          // A GPU that does not start is reported by the run that needs it.
          return request->backend != "cpu" && analyses::startDevices();
        },
        [](bool) {});
  }
  /// Waits until the GPUs are found. Throws like requireDevice().
  void require() { found_.get(); }
  /// require() without waiting, if the GPUs have been found by now.
  void requireIfKnown() {
    if (found_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) found_.get();
  }

 private:
  std::future<void> found_;
  JobQueue queue_;
};

void requireInputs(const RunRequest& request) {
  if (request.files->bySlot.empty()) {
    std::string flags;
    for (const auto& slot : request.analysis->inputs) flags += (flags.empty() ? "--" : ", --") + slot.name;
    throw Error("No input was given", "there is nothing to analyze", "give one of " + flags,
                ErrorKind::usage);
  }
}

/// A run requested by another machine uses that machine's file names, and its name for this machine.
void asAskedFor(Provenance& provenance, const CliContext& session) {
  if (session.place.empty()) return;
  provenance.device += ", at " + session.place;
  for (auto& file : provenance.inputs)
    if (const auto name = session.names.find(file.path); name != session.names.end())
      file.path = name->second;
}

RunOutcome computeOfFiles(const RunRequest& request, const OptionValues& values, const CliContext& session,
                          DeviceStart& device, const io::StagedFiles& outputs, const Progress& progress) {
  device.require();
  const auto complete = [&](Provenance& provenance) {
    provenance.commandLine = session.call;
    asAskedFor(provenance, session);
  };
  RunOutcome outcome;
  if (const auto truth = request.files->bySlot.find("truth"); truth != request.files->bySlot.end()) {
    InputFiles alone;
    alone.bySlot.insert(*truth);
    outcome.inputs = openInputs(request.analysis->inputs, alone, progress.part(0, 0, "truth"));
  }
  outcome.results.push_back(request.fileRun.make(request, values, complete, outputs, progress));
  outcome.truth = {request.analysis->compareWithTruth(outcome.results.front(), outcome.inputs, {})};
  return outcome;
}

RunOutcome readAndCompute(const RunRequest& request, const OptionValues& values, const std::string& call,
                          DeviceStart& device, StageClock& waited, const Progress& progress) {
  AnalysisInputs inputs = openInputs(request.analysis->inputs, *request.files, progress.part(0, 0.1, "read"));
  waited.finish("Read");
  // A run that needs the GPU only later reports itself if there is none. If there are several, the choice is
  // made here.
  if (request.backend == "gpu" && request.devices.empty() && request.analysis->gpuBeginsOnCpu)
    device.requireIfKnown();
  else
    device.require();
  if (request.backend != "cpu") waited.finish("Device");  // by how much its start exceeds reading
  RunOutcome outcome = compute(request, std::move(inputs), values, call, progress.part(0.1, 1, ""));
  waited.finish("Compute");
  return outcome;
}

/// Where the run writes results that are too large for memory.
ResultPlaces placesIn(const Destination& destination, const RunRequest& request) {
  const auto pathOf = [&](const std::string& name) {
    const bool wanted = request.choice.takes(std::filesystem::path(name).stem().string());
    return wanted ? destination.outputs.file(name) : std::filesystem::path();
  };
  return {pathOf, kMostBytesGivenBack};
}

int run(const RunRequest& asked, const CliContext& session) {
  if (const auto place = remote::remoteTargetOf(asked.backend)) return remote::run(asked, *place, session);
  RunRequest request = asked;
  StageClock waited;
  const OptionValues values = valuesOf(request);
  Destination destination(request);
  Analysis writing;
  if (request.backends().size() == 1 && request.analysis->writingTo) {  // two are compared in memory
    writing = request.analysis->writingTo(placesIn(destination, asked));
    request.analysis = &writing;
  }
  DeviceStart device(request);
  waited.finish("Start");
  RunOutcome outcome;
  std::vector<std::filesystem::path> files;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const Progress work = progress.part(0, 0.95, "");
    withThreads(request.threads, [&] {
      if (request.fileRun.make && request.backends().size() == 1) {
        outcome = computeOfFiles(request, values, session, device, destination.outputs, work);
        waited.finish("Compute");
        return;
      }
      outcome = readAndCompute(request, values, session.call, device, waited, work);
      for (auto& result : outcome.results) {
        asAskedFor(result.provenance, session);
        analyses::shareProvenance(result);
      }
    });
    files = writeResults(request, values, outcome, waited, destination, progress.part(0.95, 1, "write"));
  }
  if (request.fileRun.published) request.fileRun.published(request);
  try {
    for (const auto& [slot, input] : outcome.inputs) printWarnings(*input, session);
    printResults(request, outcome, waited, files, session);
  } catch (const std::bad_alloc&) {  // the results are there, even if they cannot be described
    if (session.json) throw;
  }
  return exit_code::done;
}

}  // namespace

Error severalDevicesOnCpu() {
  return {"--device names several GPUs", "--backend is cpu", "give --backend gpu or both", ErrorKind::usage};
}

void checkChoice(const RunRequest& request) {
  const auto& names = request.analysis->outputs;
  for (const auto& stem : request.choice.stems)
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) {
          const std::string own(withoutFolder(name));
          return matchesPattern(own, stem) || matchesPattern(stem, own);
        }))
      throw Error("--outputs cannot be " + inQuotes(stem, 40), "the analysis has no result of that name",
                  "take some of " + joined(names, ", "), ErrorKind::usage);
}

OptionValues valuesOf(const RunRequest& request) {
  OptionValues values =
      resolveOptions(request.analysis->options, presetValues(request.analysis->presets, request.preset),
                     *request.options, request.params);
  checkChoice(request);
  requireInputs(request);
  if (request.backend == "cpu" && request.devices.size() > 1) throw severalDevicesOnCpu();
  return values;
}

void requireDevice(const RunRequest& request) {
  if (request.backend == "cpu") return;
  const DeviceReport report = analyses::listDevices();
  if (report.devices.empty())
    throw Error("There is no GPU to run on", report.reason, "use --backend cpu", ErrorKind::unavailable);
  if (!request.devices.empty()) analyses::useDevices(request.devices);
}

RunOutcome compute(const RunRequest& request, AnalysisInputs inputs, const OptionValues& values,
                   const std::string& call, const Progress& progress) {
  const Analysis& analysis = *request.analysis;
  RunOutcome outcome;
  outcome.inputs = std::move(inputs);
  const auto preview = request.previews.empty() ? Analysis::Preview() : previewsInto(request.previews);
  const auto backends = request.backends();
  const double share = 0.95 / double(backends.size());
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const auto& run = backends[i] == Backend::cpu ? analysis.cpu : analysis.gpu;
    const double begun = share * double(i);
    RunResult result = run(outcome.inputs, values, progress.part(begun, begun + share, "run"), preview);
    result.provenance.commandLine = call;
    if (request.seed) result.provenance.parameters["seed"] = *request.seed;
    analyses::shareProvenance(result);
    outcome.truth.push_back(
        analysis.compareWithTruth(result, outcome.inputs, progress.part(0.95, 0.95, "truth")));
    outcome.results.push_back(std::move(result));
  }
  if (outcome.results.size() == 2)
    outcome.comparison =
        analysis.compare(outcome.results[0], outcome.results[1], progress.part(0.95, 1, "compare"));
  return outcome;
}

std::vector<OptionInfo> runOptions() {
  std::vector<OptionInfo> infos{
      choiceOption("backend", "Backend", {"cpu", "gpu", "both"},
                   "cpu, gpu, or both and compare; ssh:HOST is the GPU of another machine, ssh:HOST/cpu its "
                   "CPU, slurm:HOST[/cpu] a Slurm job there"),
      numberOption("threads", "Threads", "", {0, 4096, 1},
                   "Threads on the CPU, 0 for all; the result does not depend on it"),
      wordsOption("device", "Devices",
                  "Numbers of the CUDA devices, see sulcus-cli devices; 0,1 splits the run between two GPUs, "
                  "with the same result"),
      wordsOption("outputs", "Results wanted",
                  "Write only these maps and tables, by name without extension; * stands for any text"),
      toggleOption("uncompressed", "Uncompressed",
                   "Write images as .nii, which takes more space and less time")};
  infos[0].defaultValue = std::string("cpu");
  infos[1].defaultValue = std::int64_t(0);
  infos[2].defaultValue = std::string("0");
  infos[3].defaultValue = std::string();
  infos[4].defaultValue = false;
  return infos;
}

void addRunFlags(CLI::App& parser, RunRequest& request) {
  const auto infos = runOptions();
  const auto help = [&](std::size_t i) {
    return infos[i].help + " (default " + formatOption(infos[i].defaultValue) + ")";
  };
  const auto range = [&](std::size_t i) {
    return wholeNumber(infos[i].name, infos[i].minimum, infos[i].maximum);
  };
  parser.add_option("--backend", request.backend, help(0))
      ->type_name("NAME")
      ->check(CLI::Validator(
          [names = infos[0]](const std::string& text) {
            if (!remote::remoteTargetOf(text)) parseOption(names, text);
            return std::string();
          },
          ""))
      ->group("Common");
  // An analysis that draws random numbers already has an option of this name.
  const auto& options = request.analysis->options;
  if (std::none_of(options.begin(), options.end(), [](const OptionInfo& o) { return o.name == "seed"; }))
    parser
        .add_option("--seed", request.seed,
                    "Recorded only: this analysis draws no random numbers, the result does not depend on it")
        ->type_name("N")
        ->check(CLI::Range(0, 2147483647))
        ->group("Common");
  parser.add_option("--threads", request.threads, help(1))->type_name("N")->check(range(1))->group("Common");
  parser.add_option("--device", request.devices, help(2))
      ->type_name("K,...")
      ->delimiter(',')
      ->check(wholeNumber("device", 0, 1000))
      ->group("Common");
  addText(parser, "--params", request.params, "Take parameters from this JSON file; flags override it",
          "FILE")
      ->group("Common");
  parser.add_option("--outputs", request.choice.stems, infos[3].help)
      ->type_name("NAME...")
      ->delimiter(',')
      ->group("Files");
  parser
      .add_flag_callback(
          "--uncompressed", [&request] { request.choice.compressed = false; }, infos[4].help)
      ->group("Files");
}

Command addAnalysis(CLI::App& program, const Analysis& analysis) {
  return addAnalysis(program, analysis, {});
}

Command addAnalysis(CLI::App& program, const Analysis& analysis, const FileRun& fileRun) {
  CLI::App* parser = program.add_subcommand(analysis.name, analysis.summary);
  auto request = std::make_shared<RunRequest>();
  request->analysis = &analysis;
  request->choice.outputs = analysis.outputs;
  request->fileRun = fileRun;
  request->files = addInputFlags(*parser, analysis.inputs);
  addText(*parser, "--out", request->out, "Folder for the results", "DIR")->required()->group("Files");
  addPresetFlag(*parser, analysis.presets, request->preset);
  request->options = addOptionFlags(*parser, analysis.options);
  addRunFlags(*parser, *request);
  addText(*parser, "--save-params", request->saveParams, "Write the parameters used to this JSON file",
          "FILE")
      ->group("Common");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace results that exist")->group("Common");
  parser
      ->add_option("--previews", request->previews,
                   "Set by a program that shows intermediate results, which it takes from this folder")
      ->type_name("DIR")
      ->group("");
  const std::string slicer = "Progress on standard output in 3D Slicer's format";
  parser->add_flag("--filter-progress", slicer)->disable_flag_override()->group("Common");
  addDescriptorFlags(*parser, analysis);
  return {parser, [request](const CliContext& session) { return run(*request, session); }};
}

}  // namespace sulcus::app::cli
