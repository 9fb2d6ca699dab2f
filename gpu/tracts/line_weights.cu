#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"
#include "gpu/runtime/devices.h"
#include "gpu/runtime/warp.cuh"
#include "gpu/tracts/line_weights.h"

namespace sulcus::gpu::tracts {
inline namespace weight_kernels {

constexpr int kWeightThreads = 256;
static_assert(kWeightLanes == kWarpSize);

/// The line of the calling warp.
__device__ std::int64_t lineOfWarp() {
  return (std::int64_t(blockIdx.x) * kWeightThreads + std::int64_t(threadIdx.x)) / kWarpSize;
}

__global__ void __launch_bounds__(kWeightThreads)
    fillFixels(const CrossingView view, std::int64_t lines, const float* weights, std::uint64_t* filled) {
  const std::int64_t line = lineOfWarp();
  if (line >= lines) return;
  const float weight = weights[line];
  for (std::uint64_t e = view.first[line] + std::uint64_t(ownLane()); e < view.first[line + 1];
       e += kWarpSize)
    atomicAdd(reinterpret_cast<unsigned long long*>(filled + view.fixels[e]),
              static_cast<unsigned long long>(unitsOfLength(weight * view.lengths[e])));
}

__global__ void __launch_bounds__(kWeightThreads)
    nextWeights(const CrossingView view, std::int64_t lines, const std::uint64_t* filled, float* weights) {
  const std::int64_t line = lineOfWarp();
  if (line >= lines) return;
  WeightSums sums;
  for (std::uint64_t e = view.first[line] + std::uint64_t(ownLane()); e < view.first[line + 1];
       e += kWarpSize)
    sums.add(view, filled, e);
  sums.wanted = sumOverLanes(sums.wanted);
  sums.filled = sumOverLanes(sums.filled);
  sums.mean = sumOverLanes(sums.mean);
  if (ownLane() == 0) weights[line] = nextWeight(weights[line], sums);
}

}  // namespace weight_kernels

std::vector<float> fitWeights(const WeightProblem& problem, int rounds, const Progress& progress) {
  requireDevice();
  std::vector<float> weights(problem.lines(), 1.f);
  if (weights.empty()) return weights;
  constexpr const char* kWhat = "the weights of lines";
  const OnDevice on(chosenDevices().front());
  const Stream stream;
  const auto lines = std::int64_t(weights.size());
  const auto first = uploaded<std::uint64_t>(problem.first, stream, kWhat);
  const auto fixels = uploaded<std::uint32_t>(problem.fixels, stream, kWhat);
  const auto lengths = uploaded<float>(problem.lengths, stream, kWhat);
  const auto wanted = uploaded<float>(problem.wanted, stream, kWhat);
  const auto whole = uploaded<float>(problem.whole, stream, kWhat);
  auto onDevice = uploaded<float>(weights, stream, kWhat);
  Buffer<std::uint64_t> filled(std::int64_t(problem.wanted.size()), stream, kWhat);
  const CrossingView view{first.data(), fixels.data(), lengths.data(), wanted.data(), whole.data()};
  const unsigned blocks = blocksFor(lines * kWarpSize, kWeightThreads);
  const TimedQueue<Stream> awaited{stream};
  for (int round = 0; round < rounds; ++round) {
    filled.fillBytes(0, stream);
    fillFixels<<<blocks, kWeightThreads, 0, stream.get()>>>(view, lines, onDevice.data(), filled.data());
    SULCUS_CUDA_LAUNCHED("fillFixels");
    nextWeights<<<blocks, kWeightThreads, 0, stream.get()>>>(view, lines, filled.data(), onDevice.data());
    SULCUS_CUDA_LAUNCHED("nextWeights");
    constexpr int kRoundsAtOnce = 10;  // queued before cancellation is checked
    if (round % kRoundsAtOnce == kRoundsAtOnce - 1) awaited.synchronize();
    progress.update(double(round + 1) / rounds);
  }
  onDevice.download(weights, stream);
  awaited.synchronize();
  return weights;
}

}  // namespace sulcus::gpu::tracts
