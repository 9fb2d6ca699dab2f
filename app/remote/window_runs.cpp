#include "app/remote/window_runs.h"

#include "app/analyses/devices.h"
#include "app/analyses/run_support.h"
#include "app/cli/child.h"
#include "app/cli/previews.h"
#include "app/remote/layer_agreement.h"
#include "app/remote/remote_target.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/platform/processes/pipe.h"
#include "core/base/provenance.h"
#include "core/base/sanitized.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/temporary.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;

thread_local std::string placeInUse;

/// The source of a remote result, whose intermediate data stay there.
struct RemoteSource {};

/// Throws the Error that a call of sulcus-cli printed.
[[noreturn]] void rethrow(std::string complaint) {
  const std::string prefix = "sulcus-cli: ";
  if (const auto at = complaint.rfind(prefix); at != complaint.npos) complaint.erase(0, at + prefix.size());
  while (complaint.ends_with('\n')) complaint.pop_back();
  const auto middle = complaint.find(" ("), end = complaint.rfind("): ");
  if (middle == complaint.npos || end == complaint.npos || end < middle)
    throw Error("The remote run failed", Message::from(complaint), "try the command line",
                ErrorKind::unavailable);
  throw Error(Message::from(complaint.substr(0, middle)),
              Message::from(complaint.substr(middle + 2, end - middle - 2)),
              Message::from(complaint.substr(end + 3)), ErrorKind::unavailable);
}

/// Calls sulcus-cli and returns its output, without the progress. Throws Error with its message, and
/// Cancelled.
///
/// @param look called repeatedly meanwhile
std::string callCli(
    const std::vector<std::string>& words, const Progress& progress,
    const std::function<void()>& look = [] {}) {
  constexpr int kMostWait = 50;  // ms between two checks whether to stop
  std::vector<std::string> call{(ownProgram().parent_path() / "sulcus-cli").string()};
  call.insert(call.end(), words.begin(), words.end());
  cli::TalkingChild child(call);
  child.closeInput();
  std::string said, line;
  const auto take = [&](const std::string& one) {
    const std::string mark = "<filter-progress>";
    if (one.starts_with(mark))
      progress.part(0, 1, "there").update(std::strtod(one.c_str() + mark.size(), nullptr));
    else if (!one.starts_with("<filter-"))
      said += one + '\n';
  };
  std::array<char, 65536> part;
  for (bool told = false;;) {
    if (progress.stopRequested() && !std::exchange(told, true)) child.interrupt();
    look();
    if (waitToRead(child.output(), kMostWait) == 0) continue;
    const std::ptrdiff_t count = readSome(child.output(), part);
    if (count <= 0) break;
    line.append(part.data(), std::size_t(count));
    for (auto end = line.find('\n'); end != line.npos; end = line.find('\n')) {
      try {
        take(line.substr(0, end));
      } catch (const Cancelled&) {  // the child was stopped above
      }
      line.erase(0, end + 1);
    }
  }
  const cli::ChildAnswer answer = child.end();
  if (answer.code == 0) return said;
  progress.throwIfCancelled();
  rethrow(answer.complaint);
}

/// The words that specify the inputs of a run. Inputs without a file of their own are written to `folder`.
std::vector<std::string> inputWords(const AnalysisInputs& inputs, const fs::path& folder,
                                    const Progress& progress) {
  std::vector<std::string> words;
  int count = 0;
  const auto isFile = [](const Layer& layer) {
    const FileStamp now = stampOf(layer.source);
    return isAsInItsFile(layer) && now != FileStamp() && (layer.stamp == FileStamp() || layer.stamp == now);
  };
  for (const auto& [slot, layer] : inputs) {
    if (!layer) continue;
    fs::path file = layer->source;
    if (!isFile(*layer)) {
      file = folder / std::to_string(count++) / (layer->name + usualExtension(*layer));
      fs::create_directories(file.parent_path());
      io::saveLayer(*layer, file, false, progress.part(0, 0, "write " + slot));
    }
    words.insert(words.end(), {"--" + slot, file.string()});
  }
  if (const auto diffusion = inputs.find(kDiffusionSlot);
      diffusion != inputs.end() && diffusion->second && isFile(*diffusion->second)) {
    for (const auto& one : gradientFlags(inputs)) words.insert(words.end(), {"--" + one.flag, one.file});
    if (const std::string axes = gradientAxes(inputs); !axes.empty())
      words.insert(words.end(), {std::string("--") + kGradientAxes, axes});
  }
  return words;
}

/// The layers that were written, in the order in which the analysis lists them.
std::vector<Layer> layersIn(const Analysis& analysis, const fs::path& folder, const Progress& progress) {
  const auto rank = [&](const std::string& stem) {
    const auto& names = analysis.outputs;
    return std::find_if(names.begin(), names.end(),
                        [&](const auto& name) { return matchesPattern(withoutFolder(name), stem); }) -
           names.begin();
  };
  std::vector<std::pair<std::ptrdiff_t, fs::path>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path file = entry.path();
    std::string stem = file.filename().string();
    stem.resize(stem.find('.'));
    // A layer has a sidecar; a file without one is text for the user.
    if (file.extension() != ".json" && fs::exists(io::sidecarOf(file))) files.emplace_back(rank(stem), file);
  }
  std::sort(files.begin(), files.end());
  std::vector<Layer> layers;
  for (const auto& [order, file] : files) {
    layers.push_back(io::openLayer(file, progress.part(0, 0, "read " + file.filename().string())));
    layers.back().source.clear();  // the file will be deleted
    layers.back().display.visible = layers.size() == 1;
  }
  return layers;
}

/// Shows a preview that has arrived; one that cannot be opened is skipped.
void showPreview(const cli::PreviewFolder& previews, const Analysis& analysis,
                 const Analysis::Preview& preview) {
  if (const auto folder = previews.take(); folder && preview) try {
      preview(layersIn(analysis, *folder, {}), {});
    } catch (const Error&) {
    }
}

/// The content of a finished run's files, with sliders and plots if they suffice for these.
RunResult resultIn(const fs::path& folder, const Analysis& analysis, const OptionValues& values,
                   const Progress& progress) {
  std::optional<RunResult> result;
  if (analysis.reopen) result = analysis.reopen(folder, values, progress);
  if (!result) result.emplace().layers = layersIn(analysis, folder, progress);
  for (Layer& layer : result->layers) layer.source.clear();  // the files will be deleted
  return *std::move(result);
}

RunResult runThere(const std::string& place, const Analysis& analysis, const AnalysisInputs& inputs,
                   const OptionValues& values, const Progress& progress, const Analysis::Preview& preview) {
  const io::Temporary folder(fs::temp_directory_path(), "run", io::Temporary::Kind::folder);
  const fs::path results = folder.path() / "results", params = folder.path() / "params.json";
  io::writeFile(params, io::optionsJson(values));
  std::vector<std::string> words{analysis.name};
  const auto given = inputWords(inputs, folder.path(), progress);
  words.insert(words.end(), given.begin(), given.end());
  const fs::path previews = folder.path() / "previews";
  words.insert(words.end(), {"--params", params.string(), "--backend", place, "--out", results.string(),
                             "--previews", previews.string(), "--json", "--filter-progress"});
  const auto look = [&] { showPreview(cli::PreviewFolder(previews), analysis, preview); };
  const auto said =
      io::parseJson(callCli(words, progress.part(0.05, 0.95, ""), look), "what sulcus-cli says");
  const auto& run = said.at("runs").at(0);
  RunResult result = resultIn(results, analysis, values, progress.part(0.95, 1, ""));
  if (result.layers.empty())
    throw Error("The remote run gave no results", "nothing was written", "try the command line");
  result.notes = run.at("notes").get<Notes>();
  result.stages.clear();
  for (const auto& [name, seconds] : run.at("stages").items())
    result.stages.push_back({name, seconds.get<double>()});
  result.seconds = run.at("seconds");
  result.waited = run.at("waited");
  result.gpu = {run.at("gpu").at("waited"), run.at("gpu").at("copies")};
  for (const auto& [name, value] : run.items())
    if (value.is_number() && name != "seconds" && name != "waited") {
      result.itemName = name;
      result.items = value;
    }
  result.source = std::make_shared<const RemoteSource>();
  Provenance& provenance = result.provenance;
  provenance.analysis = analysis.name;
  provenance.version = sulcusVersion();
  provenance.parameters = values;
  provenance.backend = run.at("backend");
  provenance.device = run.at("device");
  provenance.stages = result.stages;
  provenance.created = utcNow();
  provenance.commandLine = commandLine(analysis, inputs, values, place);
  for (const auto& [slot, layer] : inputs)
    if (layer) provenance.inputs.push_back(analyses::inputFile(slot, *layer, progress, result.notes));
  analyses::shareProvenance(result);
  return result;
}

/// What is available at a place, as reported by remote setup.
DeviceReport reportOf(const RemoteTarget& place, const nlohmann::ordered_json& found) {
  DeviceReport report;
  const std::string at = ", at " + place.host;
  const double free = found.at("freeMemoryBytes");
  if (place.isSlurm()) {
    if (!found.at("partitions").empty()) report.devices.push_back({0, "Slurm" + at, 0, 0, "", 0});
    report.reason = "There is no Slurm at " + place.host + ", or it does not answer";
  } else if (place.backend == "cpu") {
    report.devices.push_back({0, found.at("processor").get<std::string>() + at, free, free, "", 0});
  } else {
    for (const auto& device : found.at("devices"))
      report.devices.push_back({0, device.at("name").get<std::string>() + at, device.at("memoryBytes"),
                                device.at("freeBytes"), "", 0});
    report.reason = found.at("reason").get<std::string>() + " at " + place.host;
  }
  if (!report.devices.empty()) report.reason.clear();
  return report;
}

}  // namespace

void usePlace(const std::string& place) { placeInUse = place; }

DeviceReport devices() {
  if (placeInUse.empty()) return analyses::deviceReport();
  // Querying takes a connection, and the free memory there changes.
  struct Known {
    DeviceReport report;
    std::chrono::steady_clock::time_point at;
  };
  constexpr std::chrono::minutes kHolds(1);
  static std::map<std::string, Known> known;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(placeInUse);
      found != known.end() && std::chrono::steady_clock::now() - found->second.at < kHolds)
    return found->second.report;
  try {
    const RemoteTarget place = *remoteTargetOf(placeInUse);
    const DeviceReport report = reportOf(
        place,
        io::parseJson(callCli({"remote", "setup", place.host, "--look", "--json"}, {}), "remote setup"));
    if (!report.devices.empty()) known[placeInUse] = {report, std::chrono::steady_clock::now()};
    return report;
  } catch (const Error& fault) {
    return {{}, fault.what(), {}};
  }
}

std::vector<Analysis> movable(std::vector<Analysis> table) {
  for (Analysis& analysis : table) {
    if (!analysis.gpu) continue;
    const auto inner = std::make_shared<const Analysis>(analysis);
    analysis.gpu = [inner](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                           const Analysis::Preview& preview) {
      const std::string place = placeInUse;
      return place.empty() ? inner->gpu(inputs, values, progress, preview)
                           : runThere(place, *inner, inputs, values, progress, preview);
    };
    analysis.compare = [inner](const RunResult& a, const RunResult& b, const Progress& progress) {
      const bool far = a.source.holds<RemoteSource>() || b.source.holds<RemoteSource>();
      return far ? compareLayers(a.layers, b.layers, progress) : inner->compare(a, b, progress);
    };
    analysis.compareWithTruth = [inner](const RunResult& result, const AnalysisInputs& inputs,
                                        const Progress& progress) {
      return result.source.holds<RemoteSource>() ? std::vector<AgreementRow>()
                                                 : inner->compareWithTruth(result, inputs, progress);
    };
  }
  return table;
}

std::string setUp(const std::string& place, const Progress& progress) {
  requirePlace(place);
  return callCli({"remote", "setup", remoteTargetOf(place)->host, "--quiet"}, progress);
}

void requirePlace(const std::string& place) {
  if (!remoteTargetOf(place))
    throw Error(inQuotes(place) + " is not a remote machine",
                "it begins with neither ssh: nor slurm:", "give ssh:HOST or slurm:HOST", ErrorKind::usage);
}

}  // namespace sulcus::app::remote
