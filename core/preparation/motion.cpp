#include "core/preparation/motion.h"

#include "core/base/parallel/parallel_for.h"
#include "core/preparation/mean_of_seen.h"
#include "core/preparation/motion_steps.h"
#include "core/registration/preparation/cubic_spline.h"

#include <algorithm>
#include <cstring>

namespace sulcus::preparation {
namespace {

using registration::mirroredVoxel;
using registration::SplineImage;
using registration::SplineView;

/// Filters rows along x: from `image` to `result`.
void smoothRows(const float* image, const Vec3<int>& size, const SmoothingWeights& weights, float* result) {
  constexpr int reach = SmoothingWeights::kMostRadius;
  std::vector<float> padded(std::size_t(size.x) + 2 * reach);
  for (std::int64_t row = 0; row < std::int64_t(size.y) * size.z; ++row) {
    const float* const from = image + row * size.x;
    float* const middle = padded.data() + reach;
    for (int x = 0; x < size.x; ++x) middle[x] = soundOrZero(from[x]);
    for (int k = 1; k <= weights.radius; ++k) {
      middle[-k] = middle[mirroredVoxel(-k, size.x)];
      middle[size.x - 1 + k] = middle[mirroredVoxel(size.x - 1 + k, size.x)];
    }
    float* const to = result + row * size.x;
    for (int x = 0; x < size.x; ++x) to[x] = smoothedValue(weights, [&](int k) { return middle[x + k]; });
  }
}

/// Filters lines of `n` voxels, `width` of them side by side in memory.
void smoothLines(const float* image, int n, std::int64_t width, const SmoothingWeights& weights,
                 float* result) {
  for (int i = 0; i < n; ++i) {
    const float* rows[2 * SmoothingWeights::kMostRadius + 1];
    const float** const middle = rows + SmoothingWeights::kMostRadius;
    for (int k = -weights.radius; k <= weights.radius; ++k)
      middle[k] = image + mirroredVoxel(i + k, n) * width;
    float* const to = result + i * width;
    for (std::int64_t x = 0; x < width; ++x)
      to[x] = smoothedValue(weights, [&](int k) { return middle[k][x]; });
  }
}

std::vector<float> smoothedVolume(std::span<const float> image, const Vec3<int>& size,
                                  const MotionLevel& level) {
  const SmoothingWeights weights = smoothingWeightsOf(level.smoothing);
  std::vector<float> result(image.size()), other(image.size());
  const std::int64_t plane = std::int64_t(size.x) * size.y;
  smoothRows(image.data(), size, weights, result.data());
  for (int z = 0; z < size.z; ++z)
    smoothLines(result.data() + z * plane, size.y, size.x, weights, other.data() + z * plane);
  smoothLines(other.data(), size.z, plane, weights, result.data());
  return result;
}

using Lanes = FloatPack<8>;
constexpr int kPacks = kMotionLanes / 8;

/// Adds 8 samples.
void addSamples(const ComparedVolume& volume, const MotionReference& reference, std::int64_t at,
                Lanes* sums) {
  float value[8], inView[8];
  for (int lane = 0; lane < 8; ++lane)
    value[lane] = valueAtSample(
        volume, {reference.array(0)[at + lane], reference.array(1)[at + lane], reference.array(2)[at + lane]},
        inView[lane]);
  Lanes slopes[kUnknowns];
  for (int k = 0; k < kUnknowns; ++k) slopes[k] = load<Lanes>(reference.array(3 + k) + at);
  const Lanes seen = load<Lanes>(inView);
  const Lanes weight = load<Lanes>(reference.array(3 + kUnknowns) + at);
  addSample(slopes,
            differenceOf(load<Lanes>(value), slopes[kUnknowns - 1], weight, seen, volume.gain, volume.robust),
            seen, sums);
}

StepSums sumsOf(const ComparedVolume& volume, const MotionReference& reference) {
  StepSums sums{};
  for (std::int64_t chunk = 0; chunk < reference.count; chunk += kSamplesPerChunk) {
    Lanes lanes[kPacks][kStepSums];
    std::memset(lanes, 0, sizeof lanes);
    for (int k = 0; k < kSamplesPerLane; ++k)
      for (int pack = 0; pack < kPacks; ++pack)
        addSamples(volume, reference, chunk + k * kMotionLanes + 8 * pack, lanes[pack]);
    for (std::size_t s = 0; s < kStepSums; ++s) {
      double values[kMotionLanes];
      for (int lane = 0; lane < kMotionLanes; ++lane) values[lane] = lanes[lane / 8][s].v[lane % 8];
      for (int half = kMotionLanes / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) values[lane] += values[lane + half];
      sums[s] += values[0];
    }
  }
  return sums;
}

/// A volume as it was acquired, as an image to interpolate.
SplineImage splineOf(VolumeView<const float> volume) {
  std::vector<float> values(volume.data, volume.data + volume.voxels());
  for (float& value : values) value = soundOrZero(value);
  return {std::move(values), volume.size, {}};
}

void realignVolume(const SplineView& image, const VolumeFromReference& map, const UnwarpView& unwarp,
                   float* result) {
  for (int z = 0; z < image.size.z; ++z)
    for (int y = 0; y < image.size.y; ++y)
      for (int x = 0; x < image.size.x; ++x) *result++ = realignedValue(image, map, unwarp, {x, y, z});
}

class ProcessorWork {
 public:
  explicit ProcessorWork(const Series<float>& series) : series_(series) {}

  void align(const MotionReference& reference, const MotionLevel& level, std::vector<VolumePose>& poses,
             const Progress& progress) const {
    parallelFor(series_.count, 1, progress, [&](std::int64_t v) {
      VolumePose& pose = poses[v];
      if (pose.done) return;
      const auto image = series_.volume(int(v));
      const std::vector<float> smooth = smoothedVolume(image.values(), image.size, level);
      while (!pose.done) {
        ComparedVolume compared = comparedAt(pose, reference);
        compared.image.coefficients = smooth.data();
        takeStep(pose, sumsOf(compared, reference), reference, level);
      }
    });
  }

  Volume<float> meanOf(const std::vector<VolumePose>& poses, std::span<const std::uint8_t> used,
                       const Progress& progress) const {
    constexpr int kAtOnce = 16;
    const std::int64_t voxels = series_.grid.voxels();
    std::vector<MeanOfSeen> means(voxels);
    std::vector<int> volumes;
    for (int v = 0; v < series_.count; ++v)
      if (used[v]) volumes.push_back(v);
    std::vector<float> realigned(kAtOnce * voxels);
    for (std::size_t begin = 0; begin < volumes.size(); begin += kAtOnce) {
      const std::int64_t group = std::min<std::int64_t>(kAtOnce, std::int64_t(volumes.size() - begin));
      parallelFor(group, 1, {}, [&](std::int64_t i) {
        const int v = volumes[begin + std::size_t(i)];
        realignVolume(splineOf(series_.volume(v)).view(), voxelMapOf(poses[v], series_.grid), {},
                      realigned.data() + i * voxels);
      });
      parallelFor(voxels, 4096, {}, [&](std::int64_t x) {
        for (std::int64_t i = 0; i < group; ++i) means[x].add(realigned[i * voxels + x]);
      });
      progress.update(double(begin) / double(volumes.size()));
    }
    Volume<float> mean(series_.grid);
    std::transform(means.begin(), means.end(), mean.values.begin(),
                   [](const MeanOfSeen& one) { return one.mean(); });
    return mean;
  }

  Series<float> resample(const std::vector<VolumePose>& poses, const Unwarp* unwarp,
                         const Progress& progress) const {
    const UnwarpView view = unwarp ? unwarp->view() : UnwarpView();
    Series<float> result(series_.grid, series_.count);
    parallelFor(series_.count, 1, progress, [&](std::int64_t v) {
      realignVolume(splineOf(series_.volume(int(v))).view(), voxelMapOf(poses[v], series_.grid), view,
                    result.volume(int(v)).data);
    });
    return result;
  }

 private:
  const Series<float>& series_;
};

}  // namespace

MotionWork processorWork(const Series<float>& series) {
  const auto work = std::make_shared<ProcessorWork>(series);
  const Vec3<int> size = series.grid.size;
  return {[size](std::span<const float> image, const MotionLevel& level) {
            return smoothedVolume(image, size, level);
          },
          [work](const MotionReference& reference, const MotionLevel& level, std::vector<VolumePose>& poses,
                 const Progress& part) { work->align(reference, level, poses, part); },
          [work](const std::vector<VolumePose>& poses, std::span<const std::uint8_t> used,
                 const Progress& part) { return work->meanOf(poses, used, part); },
          [work](const std::vector<VolumePose>& poses, const Unwarp* unwarp, const Progress& part) {
            return work->resample(poses, unwarp, part);
          }};
}

Volume<float> realignedVolume(const Grid& grid, VolumeView<const float> image, const VolumeFromReference& map,
                              const UnwarpView& unwarp) {
  Volume<float> result(grid);
  realignVolume(splineOf(image).view(), map, unwarp, result.values.data());
  return result;
}

MotionResult realignSeries(const MotionInput& input, const Progress& progress) {
  checkMotionInput(input);
  return realign(input, processorWork(*input.series), progress);
}

}  // namespace sulcus::preparation
