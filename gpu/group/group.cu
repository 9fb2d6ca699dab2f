#include "core/base/parallel/parallel_for.h"
#include "core/group/people_model.h"
#include "core/group/statistic_kernel.h"
#include "gpu/group/group.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"

#include <algorithm>

namespace sulcus::gpu::group {
inline namespace group_kernels {

constexpr int kTile = PreparedMaps::kTile;
constexpr int kThreads = 256;
constexpr int kExchangesOfThread = 8;
constexpr int kExchangesOfBatch = 64;  // whose t are in memory at a time

/// PreparedMaps and ExchangeWeights on the device.
struct StatisticJob {
  const float* values;
  std::int64_t voxels;
  int people;
  const float* weights;
  int columns, effects;
  float freedom;
  float* t;  ///< one map for each exchange; written
};

/// t of kExchangesOfThread exchanges in each voxel; blocks along y take the following ones.
__global__ void __launch_bounds__(kThreads) statistics(const StatisticJob job) {
  const std::int64_t v = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (v >= job.voxels) return;
  const std::int64_t first = std::int64_t(blockIdx.y) * kExchangesOfThread;
  float ofVoxel[kExchangesOfThread];
  const float* tile = job.values + (v / kTile * job.people * kTile + v % kTile);
  exchangedT([tile](int n) { return tile[n * kTile]; }, job.people,
             job.weights + first * job.columns * job.people, job.columns, job.effects, job.freedom, ofVoxel);
#pragma unroll
  for (int e = 0; e < kExchangesOfThread; ++e) job.t[(first + e) * job.voxels + v] = ofVoxel[e];
}

}  // namespace group_kernels

double groupDeviceBytes(std::int64_t voxels, int maps, const GroupOptions& options) {
  const double posterior = options.bayes ? posteriorBytes(maps) : 0;
  return double(voxels) * std::max(4.0 * (maps + kExchangesOfBatch), posterior);
}

void exchangeStatistics(const PreparedMaps& maps, std::int64_t exchanges, float freedom,
                        const WeightsOf& weightsOf, const TakeStatistic& take, const Progress& progress) {
  requireDevice();
  const Stream stream;
  const auto values = uploaded<float>(maps.values, stream, "statistics across people");
  Buffer<float> t(maps.voxels * kExchangesOfBatch, stream, "statistics across people");
  PinnedBuffer<float> host(t.size());
  for (std::int64_t first = 0; first < exchanges; first += kExchangesOfBatch) {
    progress.update(double(first) / double(exchanges));
    const ExchangeWeights made = weightsOf(first, kExchangesOfBatch);
    const auto weights = uploaded<float>(made.values, stream);
    const dim3 blocks(blocksFor(maps.voxels, kThreads), kExchangesOfBatch / kExchangesOfThread);
    statistics<<<blocks, kThreads, 0, stream.get()>>>({values.data(), maps.voxels, maps.people,
                                                       weights.data(), made.columns, made.effects, freedom,
                                                       t.data()});
    SULCUS_CUDA_LAUNCHED("statistics");
    t.download(host.first(t.size()), stream);
    stream.synchronize();
    const std::int64_t count = std::min<std::int64_t>(kExchangesOfBatch, exchanges - first);
    parallelFor(count, 1, {}, [&](std::int64_t e) {
      take(first + e, {host.data() + e * maps.voxels, std::size_t(maps.voxels)});
    });
  }
}

GroupResult findEffects(const GroupInput& input, const GroupOptions& options, const Progress& progress) {
  requireDevice();
  return findEffectsWith({exchangeStatistics, makePeopleSampler}, input, options, progress);
}

}  // namespace sulcus::gpu::group
