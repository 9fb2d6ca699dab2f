#include "app/analyses.h"
#include "app/cli_commands.h"
#include "app/cli_options.h"
#include "app/cli_output.h"
#include "app/cli_progress.h"
#include "app/cli_report.h"
#include "app/cli_scan.h"
#include "app/run_support.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/io/atomic_file.h"
#include "core/io/files.h"

#include <iostream>
#include <optional>

namespace sulcus::app {
namespace {

namespace fs = std::filesystem;

/// What was asked for on the command line.
struct Request {
  const Analysis* analysis = nullptr;
  std::map<std::string, std::string> files;  ///< by input slot
  GradientFiles gradients;
  GivenOptions options;
  std::string out, backend = "cpu", params, saveParams;
  int threads = 0;
  std::optional<int> device;
  bool overwrite = false;

  std::vector<Backend> backends() const {
    if (backend == "both") return {Backend::cpu, Backend::gpu};
    return {backend == "gpu" ? Backend::gpu : Backend::cpu};
  }
  /// Where the files of one backend go, inside the output folder.
  fs::path folderOf(Backend which) const {
    return backend == "both" ? fs::path(backendName(which)) : fs::path();
  }
};

struct Outcome {
  AnalysisInputs inputs;
  std::vector<RunResult> results;                ///< one for each of Request::backends()
  std::vector<std::vector<AgreementRow>> truth;  ///< of each result; empty rows without a truth
  std::optional<Comparison> comparison;
};

/// Everything that can be refused before any work is done, but for where it goes: see Destination.
void check(const Request& request) {
  if (request.files.empty()) {
    std::string flags;
    for (const auto& slot : request.analysis->inputs) flags += (flags.empty() ? "--" : ", --") + slot.name;
    throw Error("No input was given", "there is nothing to work on", "give one of " + flags,
                ErrorKind::usage);
  }
  std::vector<std::string> names;
  const auto addImage = [&](const fs::path& stem) {
    for (const char* extension : {".nii.gz", ".json"}) names.push_back(stem.string() + extension);
  };
  for (const Backend backend : request.backends()) {
    const fs::path folder = request.folderOf(backend);
    for (const auto& output : request.analysis->outputs) addImage(folder / output);
    names.push_back((folder / "provenance.json").string());
  }
  if (request.backend == "both") {
    names.emplace_back("comparison.json");
    addImage("difference");
  }
  refuseExisting(request.out, names, request.overwrite);
  if (request.backend != "cpu") {
    const DeviceReport report = deviceReport();
    if (report.devices.empty())
      throw Error("There is no GPU to run on", report.reason, "use --backend cpu", ErrorKind::unavailable);
    if (request.device) useDevice(*request.device);
  }
}

/// Where everything goes; made before the work, so that what cannot be written is said at once.
struct Destination {
  explicit Destination(const Request& request) : outputs(request.out) {
    if (!request.saveParams.empty()) params.emplace(request.saveParams, request.overwrite);
  }
  StagedOutputs outputs;
  std::optional<io::AtomicFile> params;
};

AnalysisInputs open(const Request& request, const Progress& progress) {
  AnalysisInputs inputs;
  double begun = 0;
  for (const auto& slot : request.analysis->inputs) {
    const auto file = request.files.find(slot.name);
    if (file == request.files.end()) continue;
    const double part = 1.0 / double(request.files.size());
    // A slot that takes no peaks decides what unlabelled numbers are.
    Layer peaks;
    peaks.content = PeaksLayer{};
    const bool takesPeaks = !slot.accepts || slot.accepts(peaks);
    Layer layer = openScan(file->second, progress.part(begun, begun + part, "read " + slot.name),
                           takesPeaks ? io::Unlabeled::mayBePeaks : io::Unlabeled::areMeasurements);
    begun += part;
    if (slot.name == kDiffusionSlot) layer = withGradients(std::move(layer), request.gradients);
    inputs.emplace(slot.name, std::make_shared<const Layer>(std::move(layer)));
  }
  return inputs;
}

Outcome compute(const Request& request, const OptionValues& values, const std::string& call,
                const Progress& progress) {
  Outcome outcome;
  outcome.inputs = open(request, progress.part(0, 0.1, "read"));
  const auto backends = request.backends();
  const double share = 0.85 / double(backends.size());
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const auto& run = backends[i] == Backend::cpu ? request.analysis->cpu : request.analysis->gpu;
    RunResult result =
        run(outcome.inputs, values, progress.part(0.1 + share * i, 0.1 + share * (i + 1), "run"), {});
    result.provenance.commandLine = call;
    shareProvenance(result);
    outcome.truth.push_back(
        request.analysis->compareWithTruth(result, outcome.inputs, progress.part(0.95, 0.95, "truth")));
    outcome.results.push_back(std::move(result));
  }
  if (outcome.results.size() == 2) {
    outcome.comparison =
        request.analysis->compare(outcome.results[0], outcome.results[1], progress.part(0.95, 1, "compare"));
  }
  return outcome;
}

nlohmann::ordered_json comparisonJson(const Outcome& outcome) {
  auto json = toJson(*outcome.comparison);
  for (const auto& result : outcome.results) json["runs"].push_back(toJson(result));
  return json;
}

std::vector<fs::path> write(const Request& request, const OptionValues& values, const Outcome& outcome,
                            Destination& destination, const Progress& progress) {
  const StagedOutputs& outputs = destination.outputs;
  const auto backends = request.backends();
  const double share = 1.0 / double(backends.size() * request.analysis->outputs.size());
  double begun = 0;
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const fs::path folder = request.folderOf(backends[i]);
    for (const auto& layer : outcome.results[i].layers) {
      io::saveLayer(layer, outputs.file(folder / (layer.name + ".nii.gz")), false,
                    progress.part(begun, begun + share, "write " + layer.name));
      begun += share;
    }
    io::writeFile(outputs.file(folder / "provenance.json"),
                  io::provenanceJson(outcome.results[i].provenance));
  }
  if (outcome.comparison) {
    io::writeFile(outputs.file("comparison.json"), comparisonJson(outcome).dump(2) + "\n");
    if (outcome.comparison->difference)
      io::saveLayer(*outcome.comparison->difference, outputs.file("difference.nii.gz"), false, progress);
  }
  if (destination.params) destination.params->write(io::optionsJson(values));
  progress.update(1);
  auto files = destination.outputs.publish(request.overwrite);
  if (destination.params) {
    destination.params->commit();
    files.emplace_back(request.saveParams);
  }
  return files;
}

void tell(const Request& request, const Outcome& outcome, const std::vector<fs::path>& files,
          const Session& session) {
  if (session.json) {
    nlohmann::ordered_json json{{"analysis", request.analysis->name}, {"out", request.out}};
    for (std::size_t i = 0; i < outcome.results.size(); ++i) {
      auto run = toJson(outcome.results[i]);
      run["truth"] = toJson(outcome.truth[i]);
      json["runs"].push_back(std::move(run));
    }
    if (outcome.comparison) json["comparison"] = toJson(*outcome.comparison);
    for (const auto& file : files) json["files"].push_back(file.string());
    std::cout << json.dump(2) << "\n";
    return;
  }
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const auto& result = outcome.results[i];
    std::cout << request.analysis->name << " on " << result.provenance.device << ": "
              << shortNumber(result.items) << " " << result.itemName << " in " << shortNumber(result.seconds)
              << " s\n";
    for (const auto& note : result.notes) std::cout << "  " << note << "\n";
    if (!outcome.truth[i].empty()) std::cout << "\nAgainst the truth:\n" << agreementTable(outcome.truth[i]);
  }
  if (outcome.comparison)
    std::cout << "\n"
              << timeTable(outcome.results[0], outcome.results[1]) << "\nGPU against CPU:\n"
              << agreementTable(outcome.comparison->rows);
  std::cout << "Results in " << request.out << "\n";
}

int run(const Request& request, const Session& session) {
  const OptionValues values = resolveOptions(request.analysis->options, *request.options, request.params);
  check(request);
  Destination destination(request);
  Outcome outcome;
  std::vector<fs::path> files;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    withThreads(request.threads,
                [&] { outcome = compute(request, values, session.call, progress.part(0, 0.95, "")); });
    files = write(request, values, outcome, destination, progress.part(0.95, 1, "write"));
  }
  tell(request, outcome, files, session);
  return exit_code::done;
}

/// Flags that give the gradients of `dwi` when they do not lie beside it.
void addGradientFlags(CLI::App& parser, CLI::Option* dwi, GradientFiles& files) {
  const auto add = [&](const char* flag, std::string& file, const char* help) {
    parser.add_option(flag, file, help)->type_name("FILE")->needs(dwi)->group("Inputs");
  };
  add("--bval", files.bval, "b-values of --dwi (FSL); default: the files beside it");
  add("--bvec", files.bvec, "Gradient directions of --dwi (FSL)");
  add("--grad", files.grad, "Gradient table of --dwi (MRtrix): rows of x y z b");
}

void addInputFlags(CLI::App& parser, const std::shared_ptr<Request>& request) {
  for (const auto& slot : request->analysis->inputs) {
    const auto keep = [request, name = slot.name](const std::string& file) { request->files[name] = file; };
    CLI::Option* input = parser.add_option_function<std::string>("--" + slot.name, keep, slot.help);
    input->type_name("FILE")->required(slot.required)->group("Inputs");
    if (slot.name == kDiffusionSlot) addGradientFlags(parser, input, request->gradients);
  }
}

void addCommonFlags(CLI::App& parser, Request& request) {
  parser.add_option("--backend", request.backend, "cpu, gpu, or both and compare (default cpu)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"cpu", "gpu", "both"}))
      ->group("Common");
  parser
      .add_option("--threads", request.threads,
                  "Threads on the CPU (default 0: all); the result does not depend on it")
      ->type_name("N")
      ->check(CLI::Range(0, 4096))
      ->group("Common");
  parser
      .add_option("--device", request.device, "Number of the CUDA device, see sulcus-cli devices (default 0)")
      ->type_name("K")
      ->group("Common");
  parser.add_option("--params", request.params, "Take parameters from this JSON file; flags win over it")
      ->type_name("FILE")
      ->group("Common");
  parser.add_option("--save-params", request.saveParams, "Write the parameters used to this JSON file")
      ->type_name("FILE")
      ->group("Common");
  addTalkFlags(parser);
  parser.add_flag("--overwrite", request.overwrite, "Replace results that exist")->group("Common");
}

}  // namespace

Command addAnalysis(CLI::App& program, const Analysis& analysis) {
  CLI::App* parser = program.add_subcommand(analysis.name, analysis.summary);
  auto request = std::make_shared<Request>();
  request->analysis = &analysis;
  addInputFlags(*parser, request);
  parser->add_option("--out", request->out, "Folder for the results")
      ->type_name("DIR")
      ->required()
      ->group("Files");
  request->options = addOptionFlags(*parser, analysis.options);
  addCommonFlags(*parser, *request);
  return {parser, [request](const Session& session) { return run(*request, session); }};
}

}  // namespace sulcus::app
