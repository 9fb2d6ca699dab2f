#include "gpu/preparation/motion.h"

#include "core/base/parallel/parallel_for.h"
#include "core/preparation/motion_steps.h"
#include "gpu/preparation/volumes.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <limits>

namespace sulcus::gpu::preparation {
using namespace sulcus::preparation;
namespace {

constexpr const char* kWhat = "realigning";

class DeviceWork {
 public:
  explicit DeviceWork(const Series<float>& series)
      : series_(series),
        images_(uploaded<float>(series.values, stream_, kWhat)),
        smooth_(images_.size(), stream_, kWhat),
        other_(images_.size(), stream_, kWhat),
        low_(std::size_t(series.count)),
        high_(std::size_t(series.count)) {
    sulcus::parallelFor(series.count, 1, {}, [&](std::int64_t v) {
      float low = std::numeric_limits<float>::infinity(), high = -low;
      const auto image = series.volume(int(v));
      for (std::int64_t i = 0; i < image.voxels(); ++i) {
        const float value = soundOrZero(image.data[i]);
        low = std::min(low, value);
        high = std::max(high, value);
      }
      low_[std::size_t(v)] = low;
      high_[std::size_t(v)] = high;
    });
  }

  std::vector<float> smooth(std::span<const float> image, const MotionLevel& level) {
    const auto from = uploaded<float>(image, stream_, kWhat);
    smoothVolumes(from.data(), 1, level, {});
    std::vector<float> result(image.size());
    smooth_.download(result, stream_);
    stream_.synchronize();
    return result;
  }

  void align(const MotionReference& reference, const MotionLevel& level, std::vector<VolumePose>& poses,
             const Progress& progress) {
    smoothVolumes(images_.data(), series_.count, level, progress);
    const std::int64_t voxels = series_.grid.voxels(), chunks = reference.count / kSamplesPerChunk;
    const auto samples = uploaded<float>(reference.samples, stream_, kWhat);
    Buffer<ComparedVolume> compared(series_.count, stream_, kWhat);
    Buffer<double> ofChunks(series_.count * chunks * kStepSums, stream_, kWhat);
    Buffer<double> sums(std::int64_t(series_.count) * kStepSums, stream_, kWhat);
    std::vector<int> active;
    for (int v = 0; v < series_.count; ++v) active.push_back(v);
    while (!active.empty()) {
      std::vector<ComparedVolume> volumes;
      for (const int v : active) {
        volumes.push_back(comparedAt(poses[std::size_t(v)], reference));
        volumes.back().image.coefficients = smooth_.data() + v * voxels;
      }
      compared.upload(volumes, stream_);
      sumSteps({samples.data(), reference.count}, compared.data(), int(active.size()), ofChunks.data(),
               sums.data(), stream_);
      std::vector<StepSums> found(active.size());
      sums.download({found.front().data(), found.size() * kStepSums}, stream_);
      stream_.synchronize();
      for (std::size_t i = 0; i < active.size(); ++i)
        takeStep(poses[std::size_t(active[i])], found[i], reference, level);
      std::erase_if(active, [&](int v) { return poses[std::size_t(v)].done; });
      progress.update(1 - double(active.size()) / double(series_.count));
    }
  }

  Volume<float> meanOf(const std::vector<VolumePose>& poses, std::span<const std::uint8_t> used,
                       const Progress& progress) {
    const auto placed = placedVolumes(poses, used, progress);
    Buffer<float> mean(series_.grid.voxels(), stream_, kWhat);
    meanOfVolumes({placed.data(), int(placed.size()), series_.grid.size}, mean.data(), stream_, progress);
    Volume<float> result(series_.grid);
    mean.download(result.values, stream_);
    stream_.synchronize();
    return result;
  }

  Series<float> resample(const std::vector<VolumePose>& poses, const Unwarp* unwarp,
                         const Progress& progress) {
    const std::vector<std::uint8_t> all(std::size_t(series_.count), 1);
    const auto placed = placedVolumes(poses, all, progress);
    Buffer<float> shift, width;
    UnwarpView view;
    if (unwarp) {
      shift = uploaded<float>(unwarp->shift, stream_, kWhat);
      width = uploaded<float>(unwarp->width, stream_, kWhat);
      view = {shift.data(), width.data(), unwarp->axis};
    }
    realignVolumes({placed.data(), series_.count, series_.grid.size}, view, other_.data(), stream_, progress);
    Series<float> result(series_.grid, series_.count);
    other_.download(result.values, stream_);
    stream_.synchronize();
    return result;
  }

 private:
  /// Writes the smoothed volumes to smooth_.
  void smoothVolumes(const float* images, int count, const MotionLevel& level, const Progress& progress) {
    const SmoothingWeights weights = smoothingWeightsOf(level.smoothing);
    const Vec3<int>& size = series_.grid.size;
    smoothAlong(0, {images, size, count}, weights, smooth_.data(), stream_, progress);
    smoothAlong(1, {smooth_.data(), size, count}, weights, other_.data(), stream_, progress);
    smoothAlong(2, {other_.data(), size, count}, weights, smooth_.data(), stream_, progress);
  }

  /// The volumes used as they were acquired, in smooth_, and their positions.
  Buffer<PlacedVolume> placedVolumes(const std::vector<VolumePose>& poses, std::span<const std::uint8_t> used,
                                     const Progress& progress) {
    takeCoefficients({images_.data(), series_.grid.size, series_.count}, smooth_.data(), stream_, progress);
    std::vector<PlacedVolume> placed;
    for (int v = 0; v < series_.count; ++v) {
      const auto i = std::size_t(v);
      if (used[i])
        placed.push_back({{smooth_.data() + v * series_.grid.voxels(), series_.grid.size, low_[i], high_[i]},
                          voxelMapOf(poses[i], series_.grid)});
    }
    auto buffer = uploaded<PlacedVolume>(placed, stream_, kWhat);
    stream_.synchronize();
    return buffer;
  }

  Stream stream_;
  const Series<float>& series_;
  Buffer<float> images_, smooth_, other_;
  std::vector<float> low_, high_;
};

}  // namespace

MotionResult realignSeries(const MotionInput& input, const Progress& progress) {
  checkMotionInput(input);
  requireDevice();
  const WaitTimer waiting(WaitKind::work);
  DeviceWork work(*input.series);
  return realign(
      input,
      {[&](std::span<const float> image, const MotionLevel& level) { return work.smooth(image, level); },
       [&](const MotionReference& reference, const MotionLevel& level, std::vector<VolumePose>& poses,
           const Progress& part) { work.align(reference, level, poses, part); },
       [&](const std::vector<VolumePose>& poses, std::span<const std::uint8_t> used, const Progress& part) {
         return work.meanOf(poses, used, part);
       },
       [&](const std::vector<VolumePose>& poses, const Unwarp* unwarp, const Progress& part) {
         return work.resample(poses, unwarp, part);
       }},
      progress);
}

}  // namespace sulcus::gpu::preparation
