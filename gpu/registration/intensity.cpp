#include "core/registration/preparation/intensity.h"

#include "core/base/parallel/lane_sums.h"
#include "core/math/parallel_quantile.h"
#include "core/registration/similarity/intensity_match.h"
#include "gpu/registration/preparation.h"
#include "gpu/registration/similarity/device_similarity.h"
#include "gpu/registration/similarity/masked_values.h"
#include "gpu/runtime/device_time.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

/// The Values of intensity_match.h on the device.
class DeviceValues {
 public:
  /// @param mask  must outlive this
  DeviceValues(std::span<const float> values, const Buffer<std::uint8_t>& mask, const Stream& stream)
      : stream_(stream), values_(uploaded<float>(values, stream, kWhat)), mask_(mask) {}

  CountAndSum above(double threshold) {
    const auto [count, sum] =
        sums<2>([&](double* ofBlocks) { queueValuesAbove(array(), threshold, ofBlocks, stream_); });
    return {count, sum};
  }

  double squaresAbove(double threshold, double mean) {
    return sums<1>(
        [&](double* ofBlocks) { queueSquaresAbove(array(), threshold, mean, ofBlocks, stream_); })[0];
  }

  std::vector<double> quantilesAbove(double threshold, const std::vector<double>& shares) {
    // In ascending order, those above the threshold come last.
    const auto count = std::int64_t(above(threshold).count),
               first = std::int64_t(above(kAllValues).count) - count;
    std::vector<std::int64_t> places;
    for (const double share : shares) {
      const QuantileRank rank = quantileRank(share, count);
      places.insert(places.end(), {first + rank.low, first + rank.high});
    }
    const std::vector<float> found = valuesAt(places);
    std::vector<double> quantiles;
    for (std::size_t i = 0; i < shares.size(); ++i)
      quantiles.push_back(quantileRank(shares[i], count).between(found[2 * i], found[2 * i + 1]));
    return quantiles;
  }

  float lowest() { return valuesAt({0}).front(); }

  template <class Map>
  void change(const Map& map) {
    queueChange(map, values_.data(), values_.size(), stream_);
    sorted_ = {};
  }

  void download(std::vector<float>& values) const { values_.download(values, stream_); }

 private:
  MaskedArray array() const { return {values_.data(), mask_.data(), values_.size()}; }

  template <std::size_t N, class Queue>
  std::array<double, N> sums(const Queue& queue) {
    const std::int64_t voxels = values_.size(), blocks = ceilDivide(voxels, std::int64_t(kTermsPerBlock));
    Buffer<double> ofBlocks(blocks * std::int64_t(N), stream_, kWhat);
    queue(ofBlocks.data());
    std::vector<double> onHost(std::size_t(ofBlocks.size()));
    ofBlocks.download(onHost, stream_);
    stream_.synchronize();
    return sumOfBlocks<N>(onHost.data(), voxels);
  }

  std::vector<float> valuesAt(const std::vector<std::int64_t>& places) {
    if (sorted_.size() == 0) sorted_ = sortedBits(array(), stream_);
    const auto there = uploaded<std::int64_t>(places, stream_, kWhat);
    Buffer<float> found(there.size(), stream_, kWhat);
    queueValuesAt(sorted_.data(), there.data(), int(there.size()), found.data(), stream_);
    std::vector<float> onHost(places.size());
    found.download(onHost, stream_);
    stream_.synchronize();
    return onHost;
  }

  const Stream& stream_;
  Buffer<float> values_;
  const Buffer<std::uint8_t>& mask_;
  Buffer<std::uint32_t> sorted_;  ///< see sortedBits(); empty until needed
};

}  // namespace

Brightness brightnessOf(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  if (devicesAreStarting()) return sulcus::registration::brightnessOf(values, mask);
  requireDevice();
  const Stream stream;
  const WaitTimer waiting(WaitKind::work);
  const auto maskThere = uploaded<std::uint8_t>(mask, stream, kWhat);
  DeviceValues there(values, maskThere, stream);
  return sulcus::registration::brightnessOf(there);
}

void matchAndScale(std::vector<float>& moving, std::vector<float>& reference,
                   const std::vector<std::uint8_t>& mask, const Brightness& ofReference, IntensityMatch match,
                   bool own) {
  if (devicesAreStarting())
    return sulcus::registration::matchAndScale(moving, reference, mask, ofReference, match, own);
  requireDevice();
  const Stream stream;
  const WaitTimer waiting(WaitKind::work);
  const auto maskThere = uploaded<std::uint8_t>(mask, stream, kWhat);
  DeviceValues from(moving, maskThere, stream), to(reference, maskThere, stream);
  sulcus::registration::matchAndScale(from, to, ofReference, match, own);
  from.download(moving), to.download(reference);
  stream.synchronize();
}

}  // namespace sulcus::gpu::registration
