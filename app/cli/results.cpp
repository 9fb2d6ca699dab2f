#include "app/cli/report.h"
#include "app/cli/run.h"
#include "core/analysis/run_times.h"
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/result_folder.h"

#include <iostream>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json comparisonJson(const RunOutcome& outcome) {
  auto json = toJson(*outcome.comparison);
  for (const auto& result : outcome.results) json["runs"].push_back(toJson(result));
  return json;
}

void printJson(const RunRequest& request, const RunOutcome& outcome, const StageClock& waited,
               const std::vector<fs::path>& files) {
  nlohmann::ordered_json json{
      {"analysis", request.analysis->name}, {"out", request.out}, {"waited", waitJson(waited)}};
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    auto run = toJson(outcome.results[i]);
    run["truth"] = toJson(outcome.truth[i]);
    for (const auto& file : outcome.results[i].files)
      if (const fs::path name = file.name; name.extension() == ".json")
        run[name.stem().string()] = io::parseJson(file.text, file.name);
    json["runs"].push_back(std::move(run));
  }
  if (outcome.comparison) json["comparison"] = toJson(*outcome.comparison);
  json["warnings"] = nlohmann::ordered_json::array();
  for (const auto& [slot, input] : outcome.inputs)
    for (const Note& warning : namedWarningsOf(*input)) json["warnings"].push_back(warning);
  if (!outcome.results.empty())
    for (const Note& warning : warningsIn(outcome.results.front().notes)) json["warnings"].push_back(warning);
  for (const auto& file : files) json["files"].push_back(file.string());
  std::cout << io::jsonText(json);
}

/// The scans, tables and surfaces that are read, with files that may belong to them.
std::vector<fs::path> filesReadFor(const RunRequest& request) {
  std::vector<fs::path> files;
  for (const auto& [slot, names] : request.files->bySlot)
    for (const fs::path name : names) {
      files.push_back(name);
      files.push_back(io::sidecarOf(name));
      for (const char* extension : {".json", ".bval", ".bvec"}) files.push_back(io::beside(name, extension));
    }
  for (const auto& [flag, name] : request.files->gradients.given()) files.emplace_back(name);
  return files;
}

constexpr const char* kWaitName = "waited.json";
constexpr const char* kIsInput = "it is an input of this run";

[[noreturn]] void failReplacing(const fs::path& file, const char* why) {
  throw Error(io::quotedPath(file) + " would be replaced", why, "choose another place for the output");
}

/// Throws Error if the file that --save-params would replace does not contain parameters.
void requireParameters(const RunRequest& request) {
  const fs::path file = request.saveParams;
  std::error_code fault;
  if (!fs::exists(file, fault)) return;
  for (const auto& input : filesReadFor(request))
    if (fs::equivalent(file, input, fault)) failReplacing(file, kIsInput);
  if (file.extension() == ".json") return;
  try {
    io::openOptions(file);
  } catch (const Error&) {
    failReplacing(file, "it holds no parameters");
  }
}

}  // namespace

nlohmann::ordered_json waitJson(const StageClock& waited, const RunResult& result) {
  nlohmann::ordered_json json{{"WaitSeconds", waitJson(waited)}};
  for (const auto& stage : result.stages) json["StageSeconds"][stage.name] = stage.seconds;
  json["RunSeconds"] = result.waited;
  if (result.provenance.backend == backendName(Backend::gpu))
    json["GpuSeconds"] = {{"Waited", result.gpu.waited}, {"Copies", result.gpu.copies}};
  return json;
}

nlohmann::ordered_json waitJson(const StageClock& waited) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  double all = 0;
  for (const auto& stage : waited.stages()) {
    json[stage.name] = stage.seconds;
    all += stage.seconds;
  }
  json["All"] = all;
  return json;
}

std::vector<Backend> RunRequest::backends() const {
  if (backend == "both") return {Backend::cpu, Backend::gpu};
  return {backend == "gpu" ? Backend::gpu : Backend::cpu};
}

fs::path RunRequest::folderOf(Backend which) const {
  return backend == "both" ? fs::path(backendName(which)) : fs::path();
}

Destination::Destination(const RunRequest& request)
    : outputs(io::StagedFiles::results(request.out, resultNames(request), request.overwrite)) {
  for (const auto& input : filesReadFor(request))
    if (outputs.mayReplace(input)) failReplacing(input, kIsInput);
  if (request.saveParams.empty()) return;
  params.emplace(request.saveParams, request.overwrite);
  requireParameters(request);
}

std::vector<std::string> resultNames(const RunRequest& request) {
  std::vector<std::string> names;
  for (const Backend backend : request.backends()) {
    for (const auto& name : io::resultNames(request.analysis->outputs))
      names.push_back((request.folderOf(backend) / name).string());
    names.push_back((request.folderOf(backend) / kWaitName).string());
  }
  if (request.backend == "both")
    names.insert(names.end(), {"comparison.json", "difference.nii.gz", "difference.json"});
  return names;
}

std::vector<fs::path> writeResults(const RunRequest& request, const OptionValues& values,
                                   const RunOutcome& outcome, StageClock& waited, Destination& destination,
                                   const Progress& progress) {
  const io::StagedFiles& outputs = destination.outputs;
  const auto backends = request.backends();
  const double share = 1.0 / double(backends.size());
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const RunResult& result = outcome.results[i];
    io::writeResult(result.layers, result.files, result.provenance,
                    {outputs, request.folderOf(backends[i]), request.choice},
                    progress.part(share * double(i), share * double(i + 1), ""));
  }
  if (outcome.comparison) {
    io::writeStaged(outputs.file("comparison.json"), io::jsonText(comparisonJson(outcome)));
    if (outcome.comparison->difference)
      io::writeStaged(outputs.file("difference.nii.gz"), *outcome.comparison->difference, progress);
  }
  progress.update(1);
  waited.finish("Write");
  for (std::size_t i = 0; i < backends.size(); ++i)
    io::writeStaged(outputs.file(request.folderOf(backends[i]) / kWaitName),
                    io::jsonText(waitJson(waited, outcome.results[i])));
  auto files = publishResults(request, values, destination);
  waited.finish("Write");  // includes flushing to disk
  return files;
}

std::vector<fs::path> publishResults(const RunRequest& request, const OptionValues& values,
                                     Destination& destination) {
  if (destination.params) destination.params->write(io::optionsJson(values));
  auto files = destination.outputs.publish();
  if (destination.params) {
    destination.params->commit();
    files.emplace_back(request.saveParams);
  }
  return files;
}

void printResults(const RunRequest& request, const RunOutcome& outcome, const StageClock& waited,
                  const std::vector<fs::path>& files, const CliContext& session) {
  if (session.json) return printJson(request, outcome, waited, files);
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const auto& result = outcome.results[i];
    std::cout << request.analysis->name << " on " << result.provenance.device << ": "
              << shortNumber(result.items) << " " << result.itemName << " in " << shortNumber(result.seconds)
              << " s\n";
    std::cout << "  " << timesText(result) << "\n";
    for (const auto& note : result.notes) std::cout << "  " << sanitizedForDisplay(note.line()) << "\n";
    if (!outcome.truth[i].empty()) std::cout << "\nAgainst the truth:\n" << agreementTable(outcome.truth[i]);
  }
  if (outcome.comparison)
    std::cout << "\n"
              << timeTable(outcome.results[0], outcome.results[1]) << "\nGPU against CPU:\n"
              << agreementTable(outcome.comparison->rows);
  if (session.place.empty()) printWaited(request, waited);
}

void printWaited(const RunRequest& request, const StageClock& waited) {
  std::string parts;
  double all = 0;
  for (const auto& stage : waited.stages()) {
    parts += (parts.empty() ? "" : ", ") + stage.name + " " + shortNumber(stage.seconds);
    all += stage.seconds;
  }
  std::cout << "Waited " << shortNumber(all) << " s: " << parts << "\nResults in "
            << sanitizedForDisplay(request.out) << "\n";
}

}  // namespace sulcus::app::cli
