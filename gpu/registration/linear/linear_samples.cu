#include "core/base/parallel/lane_sums.h"
#include "core/registration/similarity/correlation_ratio_kernel.h"
#include "gpu/registration/linear/linear_samples.h"
#include "gpu/registration/similarity/histogram.cuh"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/lane_sums.cuh"

#include <algorithm>

namespace sulcus::gpu::registration {
inline namespace linear_samples_kernels {

static_assert(kHistogramThreads == kSumThreads && kPairsOfHistogram == kTermsPerBlock && kBins == kWarpSize);

__device__ MovedSample movedUnder(const DirectionArrays& direction, const VoxelMap& map, std::int64_t i) {
  return movedSample(direction.samples[i], map, direction.size, direction.values, direction.compared);
}

/// The total count of a template bin.
__device__ std::int64_t countOfColumn(const unsigned long long* histogram, int a) {
  std::int64_t sum = 0;
  for (int b = 0; b < kBins; ++b) sum += std::int64_t(histogram[b * kBins + a]);
  return sum;
}

__global__ void __launch_bounds__(kSumThreads)
    countSamples(SampleMaps samples, unsigned long long* histograms) {
  const DirectionArrays& direction = samples.directions[blockIdx.y % 2];
  const VoxelMap map = samples.maps[blockIdx.y];
  countBlock(direction.count, histograms + blockIdx.y * kBins * kBins, [&](std::int64_t i, unsigned* counts) {
    const MovedSample moved = i >= 0 ? movedUnder(direction, map, i) : MovedSample{0, {}, false};
    const BinPlace<float> place = binPlace(direction.range, moved.value);
    addWeights(moved.compared ? direction.samples[i].bin * kBins + place.first : -1,
               binWeights(place.fraction), counts);
  });
}

/// The information of a histogram by the correlation ratio. One lane per row.
struct Ratio {
  RatioSums sums;
  double meanOfOwnRow;
};

__device__ Ratio ratioOf(const unsigned long long* histogram) {
  BinMoments row;
  for (int a = 0; a < kBins; ++a) addBin(row, a, std::int64_t(histogram[ownLane() * kBins + a]));
  const BinMoments all{sumOverLanes(row.count), sumOverLanes(row.first), sumOverLanes(row.second)};
  return {{all.count, sumOverLanes(spreadOf(row)), spreadOf(all), meanOf(all)}, meanOf(row)};
}

/// By the correlation ratio, like the next function.
__device__ void tellRatio(const unsigned long long* histogram, double* sums) {
  const RatioSums ratio = ratioOf(histogram).sums;
  if (ownLane() > 0) return;
  sums[0] = double(ratio.count) / kWeightUnit<float>;
  sums[1] = ratio.information() / kWeightUnit<float>;
}

/// By mutual information. A lane processes a column of the histogram, and then a row.
__device__ void tellInformation(const unsigned long long* histogram, double* sums) {
  const int lane = ownLane();
  const std::int64_t ofTemplate = countOfColumn(histogram, lane);
  double columns = 0;
  std::int64_t row = 0;
  for (int b = 0; b < kBins; ++b) {
    const auto count = std::int64_t(histogram[b * kBins + lane]);
    columns = fusedMultiplyAdd(double(count), logShare(count, ofTemplate), columns);
    row += std::int64_t(histogram[lane * kBins + b]);
  }
  columns = sumOverLanes(columns);
  const double rows = sumOverLanes(timesLogarithm(row));
  const std::int64_t total = sumOverLanes(row);
  if (lane > 0) return;
  sums[0] = double(total) / kWeightUnit<float>;
  sums[1] = (timesLogarithm(total) - rows + columns) / kWeightUnit<float>;
}

/// One warp per map.
__global__ void __launch_bounds__(kWarpSize)
    informationOfMaps(const unsigned long long* __restrict__ histograms, LinearSimilarity similarity,
                      SumsOfMaps result) {
  const unsigned long long* const histogram = histograms + blockIdx.x * kBins * kBins;
  double* const sums = result.sums + blockIdx.x * result.stride;
  if (similarity == LinearSimilarity::cr)
    tellRatio(histogram, sums);
  else
    tellInformation(histogram, sums);
}

/// The derivative of a histogram's information with respect to each count, by all threads of a block. One
/// lane per column.
__device__ void growthOf(const unsigned long long* histogram, LinearSimilarity similarity, float* growth) {
  if (similarity == LinearSimilarity::cr) {
    const Ratio ratio = ratioOf(histogram);
    for (int i = threadIdx.x; i < kBins * kBins; i += kSumThreads)
      growth[i] = float(ratio.sums.growth(i % kBins, __shfl_sync(kAllLanes, ratio.meanOfOwnRow, i / kBins)));
  } else {
    const std::int64_t ofTemplate = countOfColumn(histogram, ownLane());
    for (int i = threadIdx.x; i < kBins * kBins; i += kSumThreads)
      growth[i] = float(logShare(std::int64_t(histogram[i]), ofTemplate));
  }
}

/// The sums of a block of samples: add(sample, moved, slope, sums).
template <int N, class Add>
__device__ void sumSamples(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                           const Add& add) {
  __shared__ float growth[kBins * kBins];
  const DirectionArrays& direction = samples.directions[blockIdx.y % 2];
  const VoxelMap map = samples.maps[blockIdx.y];
  growthOf(histograms + blockIdx.y * kBins * kBins, samples.similarity, growth);
  __syncthreads();

  double* const own = result.sums + blockIdx.y * result.stride + blockIdx.x * N;
  sumTermsOfBlock<N>(direction.count, own, [&](std::int64_t i, double* sums) {
    const MovedSample moved = movedUnder(direction, map, i);
    if (!moved.compared) return;
    const float* const ofBin = growth + direction.samples[i].bin * kBins;
    const float slope = informationSlope(ofBin, direction.range, binPlace(direction.range, moved.value)) /
                        float(kInformationWeight);
    add(direction.samples[i], moved, slope, sums);
  });
}

__global__ void __launch_bounds__(kSumThreads)
    sumSlopes(SampleMaps samples, const unsigned long long* __restrict__ histograms, SumsOfMaps result) {
  sumSamples<kSlopeSums>(samples, histograms, result,
                         [](const AlignSample& s, const MovedSample& moved, float slope, double* sums) {
                           addSlope(s, moved, slope, sums);
                         });
}

__global__ void __launch_bounds__(kSumThreads)
    sumSquares(SampleMaps samples, const unsigned long long* __restrict__ histograms, SumsOfMaps result) {
  sumSamples<kSquareSums>(samples, histograms, result,
                          [](const AlignSample& s, const MovedSample& moved, float slope, double* sums) {
                            addSquare(s, moved, slope, sums);
                          });
}

dim3 sampleGrid(const SampleMaps& samples) {
  return {unsigned(blocksOfSamples(samples)), unsigned(samples.count)};
}

}  // namespace linear_samples_kernels

int blocksOfSamples(const SampleMaps& samples) {
  const int most = std::max({samples.directions[0].count, samples.directions[1].count, 1});
  return int(blocksFor(most, kTermsPerBlock));
}

void queueHistograms(const SampleMaps& samples, unsigned long long* histograms, const Stream& stream) {
  countSamples<<<sampleGrid(samples), kSumThreads, 0, stream.get()>>>(samples, histograms);
  SULCUS_CUDA_LAUNCHED("countSamples");
}

void queueInformation(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                      const Stream& stream) {
  informationOfMaps<<<unsigned(samples.count), kWarpSize, 0, stream.get()>>>(histograms, samples.similarity,
                                                                             result);
  SULCUS_CUDA_LAUNCHED("informationOfMaps");
}

void queueSlopes(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                 const Stream& stream) {
  sumSlopes<<<sampleGrid(samples), kSumThreads, 0, stream.get()>>>(samples, histograms, result);
  SULCUS_CUDA_LAUNCHED("sumSlopes");
}

void queueSquares(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                  const Stream& stream) {
  sumSquares<<<sampleGrid(samples), kSumThreads, 0, stream.get()>>>(samples, histograms, result);
  SULCUS_CUDA_LAUNCHED("sumSquares");
}

}  // namespace sulcus::gpu::registration
