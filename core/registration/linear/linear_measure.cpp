#include "core/registration/linear/linear_measure.h"

#include "core/base/parallel/lane_sums.h"
#include "core/registration/similarity/correlation_ratio_kernel.h"
#include "core/registration/similarity/mutual_information.h"

namespace sulcus::registration {
namespace {

constexpr std::int64_t kSamplesPerHistogram = 4096;

/// The information of a histogram in nats, and its derivative with respect to each count.
struct HistogramInformation {
  double information = 0;
  std::array<float, kBins * kBins> growth{};
};

HistogramInformation mutualInformation(const JointHistogram& histogram) {
  const auto entropy = entropyOf<float>(histogram);
  return {entropyOfRows<float>(histogram) - entropy.energy / kInformationWeight, entropy.logShares};
}

HistogramInformation ratioInformation(const JointHistogram& histogram) {
  BinMoments all;
  std::array<double, kBins> means;
  std::array<std::array<double, 1>, kBins> spreads;
  for (std::size_t b = 0; b < kBins; ++b) {
    BinMoments row;
    for (std::size_t a = 0; a < kBins; ++a) addBin(row, int(a), histogram[b * kBins + a]);
    means[b] = meanOf(row);
    spreads[b][0] = spreadOf(row);
    all.count += row.count;
    all.first += row.first;
    all.second += row.second;
  }
  addLanes(spreads);
  const RatioSums sums{all.count, spreads[0][0], spreadOf(all), meanOf(all)};
  HistogramInformation result{sums.information() / kWeightUnit<float>, {}};
  for (std::size_t i = 0; i < histogram.size(); ++i)
    result.growth[i] = float(sums.growth(int(i % kBins), means[i / kBins]));
  return result;
}

/// The sums over the samples of `from` in the image `to`.
DirectionSums sumsOf(const AlignLevel& from, const AlignLevel& to, const VoxelMap& map,
                     LinearSimilarity similarity, bool squares) {
  const std::vector<AlignSample>& samples = from.samples;
  const auto count = std::int64_t(samples.size());
  const std::uint8_t* const compared = to.compared.empty() ? nullptr : to.compared.data();
  std::vector<MovedSample> moved(samples.size());
  const auto pairOf = [&](std::size_t i) {
    return BinnedPair<float>{moved[i].compared ? samples[i].bin : kNoBin, moved[i].value};
  };
  const JointHistogram histogram =
      jointHistogram(to.range, count, kSamplesPerHistogram, {}, [&](std::size_t i) {
        moved[i] = movedSample(samples[i], map, to.grid.size, to.values.data(), compared);
        return pairOf(i);
      });
  const HistogramInformation told =
      similarity == LinearSimilarity::cr ? ratioInformation(histogram) : mutualInformation(histogram);
  const auto slopeOf = [&](std::size_t i) {
    if (!moved[i].compared) return 0.f;
    return informationSlope(told.growth.data() + samples[i].bin * kBins, to.range,
                            binPlace(to.range, moved[i].value)) /
           float(kInformationWeight);
  };
  DirectionSums result;
  for (const std::int64_t n : histogram) result.counted += double(n) / kWeightUnit<float>;
  result.information = told.information;
  result.slopes = laneSums<kSlopeSums>(count, {}, [&](std::int64_t i, auto& sums) {
    addSlope(samples[i], moved[i], slopeOf(i), sums.data());
  });
  if (squares)
    result.squares = laneSums<kSquareSums>(count, {}, [&](std::int64_t i, auto& sums) {
      addSquare(samples[i], moved[i], slopeOf(i), sums.data());
    });
  return result;
}

}  // namespace

Measure measureOf(const AlignLevel& templateImage, const AlignLevel& reference, LinearSimilarity similarity) {
  return [&templateImage, &reference, similarity](const std::vector<OfDirections<VoxelMap>>& maps,
                                                  bool squares) {
    std::vector<OfDirections<DirectionSums>> result(maps.size());
    parallelFor(2 * std::int64_t(maps.size()), 1, {}, [&](std::int64_t i) {
      const auto map = std::size_t(i / 2), direction = std::size_t(i % 2);
      const AlignLevel* images[] = {&reference, &templateImage};
      const AlignLevel &from = *images[direction], &to = *images[1 - direction];
      result[map][direction] = sumsOf(from, to, maps[map][direction], similarity, squares);
    });
    return result;
  };
}

}  // namespace sulcus::registration
