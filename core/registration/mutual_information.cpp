#include "core/registration/mutual_information.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::registration {
namespace {

constexpr std::int64_t kVoxelsPerHistogram = 65536;
constexpr double kLargestValue = 1.5;  // of the 98th percentile of the reference; what is brighter is one bin

template <class Real>
BinRange<Real> rangeOf(double low, double high, int bins) {
  return {Real(low), Real(high > low ? bins / (high - low) : 0)};
}

}  // namespace

template <class Real>
HistogramEntropy<Real> entropyOf(const JointHistogram& histogram) {
  std::array<double, kBins> ofTemplate{};
  for (std::size_t i = 0; i < histogram.size(); ++i) ofTemplate[i % kBins] += double(histogram[i]);
  HistogramEntropy<Real> result;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] <= 0) continue;
    const double logShare = std::log(double(histogram[i]) / ofTemplate[i % kBins]);
    result.logShares[i] = Real(logShare);
    result.energy -= kInformationWeight * double(histogram[i]) / kWeightUnit<Real> * logShare;
  }
  return result;
}

template <class Real>
BinRange<Real> templateRange(const std::vector<Real>& moving) {
  const auto [low, high] = std::minmax_element(moving.begin(), moving.end());
  return rangeOf<Real>(double(*low), std::min(double(*high), kLargestValue), kBins - 3);
}

template <class Real>
std::vector<std::uint8_t> referenceBins(const std::vector<Real>& reference) {
  Real low = std::numeric_limits<Real>::infinity(), high = -low;
  for (const Real f : reference)
    if (f == f) low = std::min(low, f), high = std::max(high, f);
  const auto range = rangeOf<Real>(double(low), std::min(double(high), kLargestValue), kBins);
  std::vector<std::uint8_t> bins(reference.size(), kNoBin);
  for (std::size_t i = 0; i < bins.size(); ++i)
    if (reference[i] == reference[i])
      bins[i] = std::uint8_t(std::min(int((reference[i] - range.low) * range.binsPerUnit), kBins - 1));
  return bins;
}

template <class Real>
MutualInformation<Real>::MutualInformation(const LevelImages<Real>& images, std::span<const Real> weights)
    : range_(templateRange(images.moving)), bins_(referenceBins(images.reference)), weights_(weights) {}

template <class Real>
void MutualInformation<Real>::takeReference(const LevelImages<Real>& images, const Progress&) {
  bins_ = referenceBins(images.reference);
}

template <class Real>
double MutualInformation<Real>::replaceBySlope(std::vector<Real>& warped, const Progress& progress) {
  const auto pairAt = [&](std::size_t i) {
    return BinnedPair<Real>{bins_[i], warped[i], weights_.empty() ? Real(1) : weights_[i]};
  };
  const auto voxels = std::int64_t(warped.size());
  const HistogramEntropy<Real> entropy =
      entropyOf<Real>(jointHistogram(range_, voxels, kVoxelsPerHistogram, progress, pairAt));
  parallelForBlocks(voxels, kVoxelsPerHistogram, progress, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) warped[i] = entropy.slope(range_, pairAt(i));
  });
  return entropy.energy / double(voxels);
}

template HistogramEntropy<float> entropyOf(const JointHistogram&);
template BinRange<float> templateRange(const std::vector<float>&);
template std::vector<std::uint8_t> referenceBins(const std::vector<float>&);
template class MutualInformation<float>;
template class MutualInformation<double>;

}  // namespace sulcus::registration
