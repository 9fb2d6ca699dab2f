#include "app/run_support.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/files.h"
#include "gpu/runtime/device.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace sulcus::app {
namespace {

/// Bytes that can be had without swapping; 0 when the system does not say.
double freeHostMemory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    double kibibytes = 0;
    if (key == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
    std::getline(meminfo, key);
  }
  return 0;
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
  return text;
}

/// Throws Error (unavailable) with both figures when `bytes` exceed the memory that is free on this computer.
void requireHostMemory(double bytes) {
  const double free = freeHostMemory();
  if (free > 0 && bytes > free)
    throw Error("There is not enough memory",
                gigabytes(bytes) + " are needed, " + gigabytes(free) + " are free",
                "close other programs, or use a smaller mask, order or image", ErrorKind::unavailable);
}

Provenance provenanceOf(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values,
                        Backend backend, const RunResult& result, const Progress& progress) {
  Provenance provenance;
  provenance.analysis = analysis.name;
  provenance.version = sulcusVersion();
  provenance.parameters = values;
  provenance.backend = backendName(backend);
  provenance.device = backend == Backend::cpu ? cpuName() : gpu::deviceName();
  for (const auto& [slot, layer] : inputs) {
    if (!layer) continue;
    progress.throwIfCancelled();
    const bool isFile = !layer->source.empty() && std::filesystem::is_regular_file(layer->source);
    provenance.inputs.push_back(
        {slot, layer->source, isFile ? io::sha256OfFile(layer->source) : std::string()});
  }
  provenance.stages = result.stages;
  provenance.commandLine = commandLine(analysis, inputs, values, backend);
  provenance.created = utcNow();
  return provenance;
}

Analysis::Run recordedRun(const std::shared_ptr<const Analysis>& analysis, Backend backend) {
  return [analysis, backend](const AnalysisInputs& inputs, const OptionValues& values,
                             const Progress& progress, const Analysis::Preview& preview) {
    if (analysis->memory) requireHostMemory(analysis->memory(inputs, values).hostBytes);
    const auto& run = backend == Backend::cpu ? analysis->cpu : analysis->gpu;
    RunResult result = run(inputs, values, progress, preview);
    result.seconds = std::accumulate(result.stages.begin(), result.stages.end(), 0.0,
                                     [](double sum, const StageTime& stage) { return sum + stage.seconds; });
    result.provenance = provenanceOf(*analysis, inputs, values, backend, result, progress);
    shareProvenance(result);
    return result;
  };
}

}  // namespace

std::string shellQuoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n\"'\\$&|;<>()*?[]#~`!{}") == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string commandLine(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values,
                        Backend backend) {
  std::string call = "sulcus-cli " + analysis.name;
  for (const auto& slot : analysis.inputs) {
    const auto found = inputs.find(slot.name);
    if (found == inputs.end() || !found->second) continue;
    const Layer& layer = *found->second;
    call +=
        " --" + slot.name + " " + shellQuoted(layer.source.empty() ? layer.name + ".nii.gz" : layer.source);
  }
  for (const auto& info : analysis.options) {
    const auto value = values.find(info.name);
    if (value != values.end() && value->second != info.defaultValue)
      call += " --" + info.name + " " + shellQuoted(formatOption(value->second));
  }
  return call + " --backend " + backendName(backend) + " --out " + analysis.name;
}

Analysis recorded(Analysis analysis) {
  const auto inner = std::make_shared<const Analysis>(analysis);
  if (inner->cpu) analysis.cpu = recordedRun(inner, Backend::cpu);
  if (inner->gpu) analysis.gpu = recordedRun(inner, Backend::gpu);
  return analysis;
}

void shareProvenance(RunResult& result) {
  const auto shared = std::make_shared<const Provenance>(result.provenance);
  for (auto& layer : result.layers) layer.provenance = shared;
}

}  // namespace sulcus::app
