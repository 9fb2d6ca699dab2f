#include "core/registration/preparation/intensity.h"

#include "gpu/registration/preparation.h"
#include "tests/support/device_memory.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gpu.h"

#include <bit>
#include <cmath>

namespace sulcus::registration {
namespace {

namespace device = gpu::registration;

/// All NaN count as equal: each processor has its own.
std::vector<std::uint32_t> bitsOf(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value == value ? value : NAN));
  return bits;
}

void expectSame(const Brightness& there, const Brightness& here) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(there.lowest), std::bit_cast<std::uint32_t>(here.lowest));
  EXPECT_EQ(there.threshold, here.threshold);
  EXPECT_EQ(there.scale, here.scale);
}

/// Two images of one object and the mask of the comparison.
struct Pair {
  std::vector<float> moving, reference;
  std::vector<std::uint8_t> mask;
};

/// @param levels  of brightness, as in integers, so that many are equal; 0: continuous
Pair pairOf(int voxels, int levels, double masked, test::Rng& rng) {
  Pair pair;
  for (int i = 0; i < voxels; ++i) {
    double tissue = i % 3 == 0 ? 0 : rng.uniform(-0.1, 1);
    if (levels > 0) tissue = std::round(tissue * levels) / levels;  // some are −0
    pair.reference.push_back(float(200 * tissue));
    pair.moving.push_back(float(levels > 0 ? 30 * tissue : 30 * tissue * tissue - 2 + rng.uniform(-1, 1)));
    pair.mask.push_back(rng.uniform() >= masked ? 1 : 0);
  }
  return pair;
}

class GpuIntensity : public test::NeedsGpu {};

TEST_F(GpuIntensity, HasTheBitsOfTheCpu) {
  test::Rng rng(1);
  for (const int voxels : {1, 5, 255, 256, 257, 2047, 2049, test::cases(100'000), test::cases(300'001)})
    for (const int levels : {0, 3, 255})
      for (const double masked : {0.0, 0.4, 0.999}) {
        SCOPED_TRACE(testing::Message()
                     << voxels << " voxels, " << levels << " levels, " << masked << " not compared");
        Pair pair = pairOf(voxels, levels, masked, rng);
        pair.mask[std::size_t(voxels) / 2] = 1;  // a plan without any compared voxel is refused earlier
        const Brightness there = device::brightnessOf(pair.reference, pair.mask),
                         here = brightnessOf(pair.reference, pair.mask);
        expectSame(there, here);
        for (const auto match : {IntensityMatch::off, IntensityMatch::linear, IntensityMatch::histogram})
          for (const bool own : {false, true}) {
            Pair onDevice = pair, onProcessor = pair;
            device::matchAndScale(onDevice.moving, onDevice.reference, pair.mask, there, match, own);
            matchAndScale(onProcessor.moving, onProcessor.reference, pair.mask, here, match, own);
            EXPECT_EQ(bitsOf(onDevice.moving), bitsOf(onProcessor.moving)) << int(match) << ' ' << own;
            EXPECT_EQ(bitsOf(onDevice.reference), bitsOf(onProcessor.reference)) << int(match) << ' ' << own;
          }
      }
}

TEST_F(GpuIntensity, LeavesAnImageWithoutForegroundAsTheCpuDoes) {
  const std::vector<std::uint8_t> mask(1000, 1);
  for (const auto match : {IntensityMatch::linear, IntensityMatch::histogram}) {
    std::vector<float> flat(1000, 3.5f), there(1000), here;
    for (std::size_t i = 0; i < there.size(); ++i) there[i] = float(i);
    here = there;
    std::vector<float> other = flat;
    device::matchAndScale(there, flat, mask, {0, 1, 2}, match, false);
    matchAndScale(here, other, mask, {0, 1, 2}, match, false);
    EXPECT_EQ(bitsOf(there), bitsOf(here));
    EXPECT_EQ(bitsOf(flat), bitsOf(other));
  }
}

TEST_F(GpuIntensity, TakesTwentyFiveBytesAVoxelAndGivesThemBack) {
  test::Rng rng(2);
  const int voxels = 4'000'000;
  Pair pair = pairOf(voxels, 0, 0.1, rng);
  const std::int64_t before = test::deviceBytesInUse();
  const auto taken = test::mostDeviceMemory([&] {
    device::matchAndScale(pair.moving, pair.reference, pair.mask, {0, 50, 200}, IntensityMatch::histogram,
                          false);
  });
  EXPECT_LE(taken, 25 * std::int64_t(voxels)) << "that preparationBytes() knows of";
  EXPECT_EQ(test::deviceBytesInUse(), before);
}

}  // namespace
}  // namespace sulcus::registration
