#include "core/group/people_model.h"
#include "gpu/group/group.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::group {
inline namespace people_kernels {

constexpr int kTile = PreparedMaps::kTile;
static_assert(kTile == kWarpSize, "a warp adds up a tile");

/// Device memory: numbers for people and columns are stored in tiles of voxels.
struct PeopleArrays {
  int people = 0, rests = 0;
  std::int64_t voxels = 0;
  float scale = 1;
  PhiloxKey key;
  bool hasVariances = false;
  const float *along, *values, *variances, *estimate, *squares, *reach;
  float *effect, *variance, *rest, *sums;
  double *sum, *squareSum, *deviationSum;
  std::uint16_t* histogram;
};

/// The numbers of a column in a voxel.
struct TileColumn {
  float* first;
  __device__ float get(int column) const { return first[column * kTile]; }
  __device__ void set(int column, float value) const { first[column * kTile] = value; }
};

/// Adds up a tile pairwise; lane 0 receives the sum.
__device__ double sumOfHalves(double value) {
  for (int half = kTile / 2; half > 0; half /= 2) value += __shfl_down_sync(kAllLanes, value, half);
  return value;
}

/// A draw of each voxel, one thread each, and the sums of each tile.
__global__ void __launch_bounds__(256)
    drawVoxels(PeopleArrays a, PeopleHyper hyper, bool isKept, PeopleSums* ofTiles) {
  const std::int64_t v = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t tile = v / kTile, lane = v % kTile;
  if (tile * kTile >= a.voxels) return;  // whole warps
  const PhiloxStream<std::uint32_t> random{a.key, std::uint32_t(v), hyper.draw, hyper.chain};
  float effect = a.effect[v], variance = a.variance[v];
  const TileColumn rest{a.rest + tile * a.rests * kTile + lane}, sums{a.sums + tile * a.rests * kTile + lane};
  const auto of = [first = tile * a.people * kTile + lane](const float* maps) {
    return [maps, first](int person) { return maps[first + person * kTile]; };
  };
  const VoxelOfPeople voxel{a.people,        a.rests,       a.along,      a.scale,
                            a.hasVariances,  a.estimate[v], a.squares[v], of(a.values),
                            of(a.variances), rest,          sums};
  drawVoxel(hyper, voxel, random, effect, variance);
  a.effect[v] = effect;
  a.variance[v] = variance;

  const bool isThere = v < a.voxels;
  PeopleSums own;
  if (isThere) own = {double(effect != 0), effect * effect, logarithm(variance), 1.f / variance};
  const PeopleSums sum{sumOfHalves(own.effects), sumOfHalves(own.effectSquares),
                       sumOfHalves(own.logVariances), sumOfHalves(own.inverseVariances)};
  if (lane == 0) ofTiles[tile] = sum;
  if (!isKept || !isThere) return;
  a.sum[hyper.chain * a.voxels + v] += effect;
  a.squareSum[hyper.chain * a.voxels + v] += double(effect) * effect;
  a.deviationSum[v] += squareRoot(variance);
  ++a.histogram[v * PeopleTotals::kBins + binOf(effect, a.reach[v])];
}

class GpuPeopleSampler final : public PeopleSampler {
 public:
  GpuPeopleSampler(const PeopleProblem& problem, int chains)
      : problem_(problem),
        along_(uploaded<float>(problem.along, stream_, kWhat)),
        values_(uploaded<float>(problem.values.values, stream_, kWhat)),
        variances_(uploaded<float>(problem.variances.values, stream_, kWhat)),
        estimate_(uploaded<float>(problem.estimate, stream_, kWhat)),
        squares_(uploaded<float>(problem.squares, stream_, kWhat)),
        reach_(uploaded<float>(problem.reach, stream_, kWhat)),
        effect_(estimate_.size(), stream_, kWhat),
        variance_(estimate_.size(), stream_, kWhat),
        rest_(std::int64_t(problem.rest.size()), stream_, kWhat),
        sums_(rest_.size(), stream_, kWhat),
        sum_(problem.voxels * chains, stream_, kWhat),
        squareSum_(sum_.size(), stream_, kWhat),
        deviationSum_(problem.voxels, stream_, kWhat),
        histogram_(problem.voxels * PeopleTotals::kBins, stream_, kWhat),
        ofTiles_(problem.tiles(), stream_, kWhat),
        host_(problem.tiles()) {
    for (auto* sums : {&sum_, &squareSum_, &deviationSum_}) sums->fillBytes(0, stream_);
    histogram_.fillBytes(0, stream_);
  }

  void begin(std::span<const float> effect, std::span<const float> variance) override {
    effect_.upload(effect, stream_);
    variance_.upload(variance, stream_);
    if (!problem_.rest.empty()) rest_.upload(problem_.rest, stream_);
    stream_.synchronize();
  }

  PeopleSums draw(const PeopleHyper& hyper, bool isKept) override {
    const PeopleArrays arrays{problem_.people,
                              problem_.rests,
                              problem_.voxels,
                              float(problem_.scale),
                              PhiloxKey(problem_.seed),
                              problem_.hasVariances(),
                              along_.data(),
                              values_.data(),
                              variances_.data(),
                              estimate_.data(),
                              squares_.data(),
                              reach_.data(),
                              effect_.data(),
                              variance_.data(),
                              rest_.data(),
                              sums_.data(),
                              sum_.data(),
                              squareSum_.data(),
                              deviationSum_.data(),
                              histogram_.data()};
    drawVoxels<<<blocksFor(problem_.tiles() * kTile, 256), 256, 0, stream_.get()>>>(arrays, hyper, isKept,
                                                                                    ofTiles_.data());
    SULCUS_CUDA_LAUNCHED("draws of people");
    ofTiles_.download(host_.first(ofTiles_.size()), stream_);
    stream_.synchronize();
    PeopleSums sums;
    for (std::int64_t tile = 0; tile < ofTiles_.size(); ++tile) sums += host_.data()[tile];
    return sums;
  }

  PeopleTotals totals() override {
    PeopleTotals totals;
    const auto take = [this](auto& values, const auto& buffer) {
      values.resize(std::size_t(buffer.size()));
      buffer.download(values, stream_);
    };
    take(totals.sum, sum_);
    take(totals.squareSum, squareSum_);
    take(totals.deviationSum, deviationSum_);
    take(totals.histogram, histogram_);
    stream_.synchronize();
    return totals;
  }

 private:
  static constexpr const char* kWhat = "the posterior across people";

  const PeopleProblem& problem_;
  const Stream stream_;
  Buffer<float> along_, values_, variances_, estimate_, squares_, reach_, effect_, variance_, rest_, sums_;
  Buffer<double> sum_, squareSum_, deviationSum_;
  Buffer<std::uint16_t> histogram_;
  Buffer<PeopleSums> ofTiles_;
  PinnedBuffer<PeopleSums> host_;
};

}  // namespace people_kernels

std::unique_ptr<PeopleSampler> makePeopleSampler(const PeopleProblem& problem, int chains) {
  requireDevice();
  return std::make_unique<GpuPeopleSampler>(problem, chains);
}

}  // namespace sulcus::gpu::group
