#include "app/analyses/run_support.h"

#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/progress.h"
#include "core/base/stage_clock.h"
#include "core/image/grids/assumed_sides.h"
#include "core/image/grids/value_check.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <numeric>

namespace sulcus::app::analyses {
namespace {

namespace fs = std::filesystem;

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
  return text;
}

/// Throws Error (unavailable) with both figures if `bytes` exceed the free host memory.
void requireHostMemory(double bytes) {
  const double free = freeHostMemory();
  if (free > 0 && bytes > free)
    throw Error("There is not enough memory",
                gigabytes(bytes) + " are needed, " + gigabytes(free) + " are free",
                "close other programs, or work on less: a smaller mask, order or image, fewer draws or seeds",
                ErrorKind::unavailable);
}

/// The files used by a run, including those of the gradients.
std::vector<InputFile> inputFiles(const AnalysisInputs& inputs, const Progress& progress, Notes& notes) {
  std::vector<std::pair<std::string, LayerPtr>> given;
  for (const auto& [slot, layer] : inputs)
    if (layer) given.emplace_back(slot, layer);
  std::vector<InputFile> files(given.size());
  std::vector<Notes> notesOf(given.size());
  parallelFor(std::int64_t(given.size()), 1, progress, [&](std::int64_t i) {
    const auto& [slot, layer] = given[std::size_t(i)];
    files[std::size_t(i)] = inputFile(slot, *layer, progress.part(0, 0, ""), notesOf[std::size_t(i)]);
  });
  for (const auto& some : notesOf) notes.insert(notes.end(), some.begin(), some.end());
  for (const auto& [flag, file, stamp] : gradientFlags(inputs))
    files.push_back({flag, file, checksumOfRead(file, stamp, progress.part(0, 0, ""), notes)});
  return files;
}

/// Notes on voxels of a mask that are not numbers.
Notes maskNotes(const AnalysisInputs& inputs) {
  Notes notes;
  const auto [begin, end] = inputs.equal_range("mask");
  for (auto input = begin; input != end; ++input) {
    const auto* volume = input->second ? std::get_if<VolumeLayer>(&input->second->content) : nullptr;
    if (!volume) continue;
    if (const auto unsound = unsoundText(checkValues(volume->series->values)); !unsound.empty())
      notes.push_back("Voxels of the mask '" + input->second->name +
                      "' that are not numbers count as outside: " + unsound + ".");
  }
  return notes;
}

Provenance provenanceOf(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values,
                        Backend backend, const RunResult& result, std::vector<InputFile> files) {
  Provenance provenance;
  provenance.analysis = analysis.name;
  provenance.version = sulcusVersion();
  provenance.parameters = values;
  if (std::string axes = gradientAxes(inputs); !axes.empty())
    provenance.parameters[kGradientAxes] = std::move(axes);
  provenance.backend = backendName(backend);
  provenance.device = deviceName(backend);
  provenance.inputs = std::move(files);
  provenance.stages = result.stages;
  provenance.commandLine = commandLine(analysis, inputs, values, backendName(backend));
  provenance.created = utcNow();
  return provenance;
}

/// Detects whether a run was the only one in this program from start to end.
class ConcurrentRunTracker {
 public:
  ConcurrentRunTracker() : wasAlone_(runs()++ == 0), begun_(++allBegun()) {}
  ~ConcurrentRunTracker() { --runs(); }
  ConcurrentRunTracker(const ConcurrentRunTracker&) = delete;
  ConcurrentRunTracker& operator=(const ConcurrentRunTracker&) = delete;

  bool isAlone() const { return wasAlone_ && allBegun() == begun_; }

 private:
  static std::atomic<int>& runs() {
    static std::atomic<int> now = 0;
    return now;
  }
  static std::atomic<std::int64_t>& allBegun() {
    static std::atomic<std::int64_t> count = 0;
    return count;
  }
  bool wasAlone_;
  std::int64_t begun_;
};

Analysis::Run recordedRun(const std::shared_ptr<const Analysis>& analysis, Backend backend) {
  return [analysis, backend](const AnalysisInputs& inputs, const OptionValues& values,
                             const Progress& progress, const Analysis::Preview& preview) {
    const StageClock clock;
    const ConcurrentRunTracker concurrentRuns;
    const DeviceTime before = gpu::deviceTime();
    if (analysis->memory) {
      const MemoryNeed need = analysis->memory(inputs, values);
      const bool isBeside = backend == Backend::gpu && need.besideDeviceBytes > 0;
      requireHostMemory(isBeside ? need.besideDeviceBytes : need.hostBytes);
    }
    const auto& run = backend == Backend::cpu ? analysis->cpu : analysis->gpu;
    // Before the work: what is recorded is what was read, and nothing can fail after it.
    Notes notes = maskNotes(inputs);
    auto files = inputFiles(inputs, progress.part(0, 0.05, "checksums"), notes);
    RunResult result = run(inputs, values, progress.part(0.05, 1, ""), preview);
    std::vector<const Layer*> met;
    for (const auto& [slot, layer] : inputs) met.push_back(layer.get());
    for (Note& warning : sideWarnings(met)) notes.push_back(std::move(warning));
    result.notes.insert(result.notes.end(), notes.begin(), notes.end());
    result.seconds = std::accumulate(result.stages.begin(), result.stages.end(), 0.0,
                                     [](double sum, const StageTime& stage) { return sum + stage.seconds; });
    if (backend == Backend::gpu && concurrentRuns.isAlone()) {  // otherwise the waits of others are included
      const DeviceTime now = gpu::deviceTime();
      result.gpu = {now.waited - before.waited, now.copies - before.copies};
    }
    result.provenance = provenanceOf(*analysis, inputs, values, backend, result, std::move(files));
    shareProvenance(result);
    result.waited = clock.seconds();
    return result;
  };
}

}  // namespace

std::string checksumOfRead(const std::string& path, const FileStamp& read, const Progress& progress,
                           Notes& notes) {
  if (read == FileStamp()) return checksum(path, progress, notes);
  std::string sha256 = stampOf(path) == read ? checksum(path, progress, notes) : "";
  if (stampOf(path) == read) return sha256;
  notes.push_back(Note::warning(io::quotedPath(path) +
                                " has changed since it was read: the result is based on the "
                                "earlier version, and the provenance has no checksum for it."));
  return {};
}

std::string checksum(const std::string& path, const Progress& progress, Notes& notes) {
  try {
    if (path.empty() || !fs::is_regular_file(path)) return {};
    return io::rememberedSha256(path, progress);
  } catch (const Error& fault) {
    notes.push_back(std::string("An input has no checksum in the provenance: ") + fault.what());
  } catch (const fs::filesystem_error& fault) {
    notes.push_back(std::string("An input has no checksum in the provenance: ") + fault.what());
  }
  return {};
}

std::string deviceName(Backend backend) { return backend == Backend::cpu ? cpuName() : gpu::deviceNames(); }

InputFile inputFile(const std::string& slot, const Layer& layer, const Progress& progress, Notes& notes) {
  return {slot, fileOf(layer),
          isAsInItsFile(layer) ? checksumOfRead(layer.source, layer.stamp, progress, notes) : ""};
}

MemoryNeed memoryOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values) {
  MemoryNeed need = analysis.memory ? analysis.memory(inputs, values) : MemoryNeed();
  double bytes = 0;
  for (const auto& [slot, layer] : inputs)
    if (const auto* volume = std::get_if<VolumeLayer>(&layer->content))
      bytes += double(sizeof(float)) * double(volume->series->values.size());
  need.hostBytes += bytes;
  if (need.besideDeviceBytes > 0) need.besideDeviceBytes += bytes;
  return need;
}

Analysis withProvenance(Analysis analysis) {
  const auto inner = std::make_shared<const Analysis>(analysis);
  if (inner->cpu) analysis.cpu = recordedRun(inner, Backend::cpu);
  if (inner->gpu) analysis.gpu = recordedRun(inner, Backend::gpu);
  if (inner->writingTo)
    analysis.writingTo = [inner](const ResultPlaces& places) {
      return withProvenance(inner->writingTo(places));
    };
  return analysis;
}

void shareProvenance(RunResult& result) {
  const auto shared = std::make_shared<const Provenance>(result.provenance);
  for (auto& layer : result.layers) layer.provenance = shared;
}

}  // namespace sulcus::app::analyses
