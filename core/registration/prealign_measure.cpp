#include "core/registration/prealign_measure.h"

#include "core/base/lane_sums.h"
#include "core/registration/mutual_information.h"

namespace sulcus::registration {
namespace {

constexpr std::int64_t kSamplesPerHistogram = 4096;

/// The samples of `from` in the image `to`.
DirectionSums sumsOf(const AlignLevel& from, const AlignLevel& to, const VoxelMap& map, bool squares) {
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
  const auto entropy = entropyOf<float>(histogram);
  const auto slopeOf = [&](std::size_t i) {
    return entropy.slope(to.range, pairOf(i)) / float(kInformationWeight);
  };
  DirectionSums result;
  for (const std::int64_t n : histogram) result.counted += double(n) / kWeightUnit<float>;
  result.information = entropyOfRows<float>(histogram) - entropy.energy / kInformationWeight;
  result.slopes = laneSums<kSlopeSums>(count, {}, [&](std::int64_t i, auto& sums) {
    addSlope(samples[std::size_t(i)], moved[std::size_t(i)], slopeOf(std::size_t(i)), sums.data());
  });
  if (squares)
    result.squares = laneSums<kSquareSums>(count, {}, [&](std::int64_t i, auto& sums) {
      addSquare(samples[std::size_t(i)], moved[std::size_t(i)], slopeOf(std::size_t(i)), sums.data());
    });
  return result;
}

}  // namespace

Measure measureOf(const AlignLevel& templateImage, const AlignLevel& reference) {
  return [&](const std::vector<OfDirections<VoxelMap>>& maps, bool squares) {
    std::vector<OfDirections<DirectionSums>> result(maps.size());
    parallelFor(
        2 * std::int64_t(maps.size()), {},
        [&](std::int64_t i) {
          const auto map = std::size_t(i / 2), direction = std::size_t(i % 2);
          const AlignLevel &from = direction == 0 ? reference : templateImage,
                           &to = direction == 0 ? templateImage : reference;
          result[map][direction] = sumsOf(from, to, maps[map][direction], squares);
        },
        1);
    return result;
  };
}

}  // namespace sulcus::registration
