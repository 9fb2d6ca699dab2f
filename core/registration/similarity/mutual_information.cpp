#include "core/registration/similarity/mutual_information.h"

#include "core/base/parallel/lane_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sulcus::registration {
namespace {

constexpr std::int64_t kVoxelsPerHistogram = 65536;
constexpr double kLargestValue = 1.5;  // × 98th percentile of the reference; brighter ones share a bin

template <class Real>
BinRange<Real> rangeOf(double low, double high, int bins) {
  return {Real(low), Real(high > low ? bins / (high - low) : 0)};
}

template <class Real>
double pairsIn(const JointHistogram& histogram) {
  return double(std::accumulate(histogram.begin(), histogram.end(), std::int64_t(0))) / kWeightUnit<Real>;
}

}  // namespace

template <class Real>
double entropyOfRows(const JointHistogram& histogram) {
  std::int64_t total = 0;
  std::array<std::array<double, 1>, kBins> rows;
  for (std::size_t b = 0; b < kBins; ++b) {
    std::int64_t row = 0;
    for (std::size_t a = 0; a < kBins; ++a) row += histogram[b * kBins + a];
    rows[b][0] = timesLogarithm(row);
    total += row;
  }
  addLanes(rows);
  return (timesLogarithm(total) - rows[0][0]) / kWeightUnit<Real>;
}

template <class Real>
HistogramEntropy<Real> entropyOf(const JointHistogram& histogram, const InformationBins<Real>* bins) {
  HistogramEntropy<Real> result;
  std::array<std::array<double, 1>, kBins> columns{};
  for (std::size_t a = 0; a < kBins; ++a) {
    std::int64_t ofTemplate = 0;
    for (std::size_t b = 0; b < kBins; ++b) ofTemplate += histogram[b * kBins + a];
    for (std::size_t i = a; i < histogram.size(); i += kBins) {
      const double share = logShare(histogram[i], ofTemplate);
      result.logShares[i] = Real(share);
      columns[a][0] = fusedMultiplyAdd(double(histogram[i]), share, columns[a][0]);
    }
  }
  addLanes(columns);
  result.energy = -kInformationWeight * (columns[0][0] / kWeightUnit<Real>);
  if (!bins) return result;
  double worth = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    worth += double(histogram[i]) * bins->worth[i % kBins];
    result.logShares[i] -= Real(bins->worth[i % kBins]);
  }
  result.energy += kInformationWeight * (pairsIn<Real>(histogram) * bins->whole + worth / kWeightUnit<Real> -
                                         entropyOfRows<Real>(histogram));
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

namespace {

/// The range for the compared voxels of a level; `reference` is NaN where the images are not compared.
template <class Real>
BinRange<Real> comparedRange(const std::vector<Real>& values, const std::vector<Real>& reference) {
  std::vector<Real> compared;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (reference[i] == reference[i]) compared.push_back(values[i]);
  return compared.empty() ? BinRange<Real>{0, 0} : templateRange(compared);
}

/// Half of the information of each template bin on the reference, see mutual_information_kernel.h.
std::array<double, kBins> worthOfBins(const JointHistogram& histogram) {
  std::array<double, kBins> ofTemplate{}, ofReference{}, worth{};
  double all = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const auto n = double(histogram[i]);
    ofTemplate[i % kBins] += n;
    ofReference[i / kBins] += n;
    all += n;
  }
  for (std::size_t a = 0; a < kBins; ++a) {
    if (!(ofTemplate[a] > 0)) {
      worth[a] = a > 0 ? worth[a - 1] : 0;
      continue;
    }
    for (std::size_t b = 0; b < kBins; ++b) {
      const auto n = double(histogram[b * kBins + a]);
      if (n > 0)
        worth[a] += 0.5 * (n / ofTemplate[a]) *
                    (reproducibleLog(n / ofTemplate[a]) - reproducibleLog(ofReference[b] / all));
    }
  }
  return worth;
}

}  // namespace

template <class Real>
InformationBins<Real> informationBins(const LevelImages<Real>& images, std::span<const Real> weights,
                                      bool symmetric, const Progress& progress) {
  InformationBins<Real> bins{comparedRange(images.moving, images.reference),
                             comparedRange(images.reference, images.reference)};
  const JointHistogram histogram = jointHistogram(
      std::int64_t(images.moving.size()), kVoxelsPerHistogram, progress,
      [&](std::size_t i, JointHistogram& counts) {
        const Real reference = images.reference[i];
        if (reference == reference)
          bins.count(images.moving[i], reference, weights.empty() ? Real(1) : weights[i], counts);
      });
  JointHistogram transposed;
  for (std::size_t i = 0; i < histogram.size(); ++i) transposed[i % kBins * kBins + i / kBins] = histogram[i];
  const double pairs = pairsIn<Real>(histogram);
  if (!(pairs > 0)) return bins;
  bins.whole = (entropyOfRows<Real>(histogram) + entropyOfRows<Real>(transposed)) / (2 * pairs);
  if (symmetric) return bins;
  bins.worth = worthOfBins(histogram);
  double worth = 0;
  for (std::size_t i = 0; i < histogram.size(); ++i) worth += double(histogram[i]) * bins.worth[i % kBins];
  bins.whole -= worth / kWeightUnit<Real> / pairs;
  return bins;
}

template <class Real>
MutualInformation<Real>::MutualInformation(const LevelImages<Real>& images, std::span<const Real> weights,
                                           bool symmetric, const Progress& progress)
    : bins_(informationBins(images, weights, symmetric, progress)),
      reference_(images.reference),
      weights_(weights) {}

template <class Real>
void MutualInformation<Real>::takeReference(const LevelImages<Real>& images, const Progress&) {
  reference_ = images.reference;
}

template <class Real>
double MutualInformation<Real>::replaceBySlope(std::vector<Real>& warped, const Progress& progress) {
  const auto isCompared = [&](std::size_t i) { return reference_[i] == reference_[i]; };
  const auto weightAt = [&](std::size_t i) { return weights_.empty() ? Real(1) : weights_[i]; };
  const auto voxels = std::int64_t(warped.size());
  const auto count = [&](std::size_t i, JointHistogram& counts) {
    if (isCompared(i)) bins_.count(warped[i], reference_[i], weightAt(i), counts);
  };
  const HistogramEntropy<Real> entropy =
      entropyOf<Real>(jointHistogram(voxels, kVoxelsPerHistogram, progress, count), &bins_);
  const auto slopeAt = [&](std::size_t i) {
    return informationSlope(entropy.logShares.data(),
                            referenceBinsOf(bins_.reference, reference_[i], weightAt(i)), bins_.range,
                            binPlace(bins_.range, warped[i]));
  };
  parallelForBlocks(voxels, kVoxelsPerHistogram, progress, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
      warped[i] = isCompared(i) ? slopeAt(i) : Real(0);
  });
  return entropy.energy / double(voxels);
}

template double entropyOfRows<float>(const JointHistogram&);
template HistogramEntropy<float> entropyOf(const JointHistogram&, const InformationBins<float>*);
template InformationBins<float> informationBins(const LevelImages<float>&, std::span<const float>, bool,
                                                const Progress&);
template BinRange<float> templateRange(const std::vector<float>&);
template std::vector<std::uint8_t> referenceBins(const std::vector<float>&);
template class MutualInformation<float>;
template class MutualInformation<double>;

}  // namespace sulcus::registration
