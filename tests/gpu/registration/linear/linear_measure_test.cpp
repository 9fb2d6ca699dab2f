#include "core/phantom/registration_phantom.h"
#include "core/registration/linear/linear_alignment.h"
#include "gpu/registration/preparation.h"
#include "gpu/registration/registration.h"
#include "tests/core/registration/deformation/align_levels.h"
#include "tests/support/device_memory.h"
#include "tests/support/gpu.h"
#include "tests/support/grid.h"

#include <bit>

namespace sulcus::registration {
namespace {

namespace device = gpu::registration;

/// The bits of all measured numbers in a row.
std::vector<std::uint64_t> bitsOf(const std::vector<OfDirections<DirectionSums>>& measured) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](double number) { bits.push_back(std::bit_cast<std::uint64_t>(number)); };
  for (const auto& directions : measured)
    for (const DirectionSums& of : directions) {
      add(of.counted), add(of.information);
      for (const double number : of.slopes) add(number);
      for (const double number : of.squares) add(number);
    }
  return bits;
}

class GpuMeasure : public test::NeedsGpu {};

TEST_F(GpuMeasure, LeavesTheBitsOfTheCpu) {
  // Sizes of volumes and planes, and samples near those of warps, groups and blocks.
  const std::vector<Vec3<int>> sizes{{20, 22, 19}, {33, 8, 40}, {31, 32, 1},
                                     {1, 40, 35},  {40, 1, 33}, {8, 8, 8}};
  const std::vector<std::int64_t> counts{1, 31, 33, 255, 257, 2047, 2048, 2049, 5000, 12'345};
  test::Rng rng(1);
  for (const Vec3<int>& size : sizes)
    for (const bool masked : {false, true})
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::int64_t other = counts[(i + 3) % counts.size()];
        SCOPED_TRACE(testing::Message() << size.x << 'x' << size.y << 'x' << size.z << ", " << counts[i]
                                        << " and " << other << (masked ? ", masked" : ""));
        const AlignLevel a = test::noisyLevel(size, counts[i], false, rng),
                         b = test::noisyLevel({size.x, size.y, size.z}, other, masked, rng);
        for (const auto by : test::kLinearSimilarities) {
          const Measure there = device::measureOf(a, b, by), here = measureOf(a, b, by);
          // More maps than before need more memory, and fewer use part of it.
          for (const int maps : {3, 20, 1}) {
            const auto some = test::mapsBetween(a, b, maps, rng);
            for (const bool squares : {true, false})
              EXPECT_EQ(bitsOf(there(some, squares)), bitsOf(here(some, squares)))
                  << int(by) << ' ' << maps << ' ' << squares;
          }
        }
      }
}

TEST_F(GpuMeasure, LeavesTheBitsOfTheCpuWhereABinIsFull) {
  // All samples of a block have the same two bins with the largest weights: no overflow occurs.
  test::Rng rng(2);
  AlignLevel level = test::noisyLevel({20, 20, 20}, 50'000, false, rng);
  std::fill(level.values.begin(), level.values.end(), 0.5f);
  for (AlignSample& sample : level.samples) sample.bin = 7;
  VoxelMap same{};
  for (int i = 0; i < 3; ++i) same.rows[i][i] = 1;
  for (const auto by : test::kLinearSimilarities)
    for (const float low : {0.0f, 0.5f, 0.499f, 1.0f}) {
      level.range = {low, 29};
      const auto there = device::measureOf(level, level, by)({{same, same}}, true),
                 here = measureOf(level, level, by)({{same, same}}, true);
      EXPECT_EQ(bitsOf(there), bitsOf(here)) << int(by) << ' ' << low;
      EXPECT_EQ(there[0][0].counted, 50'000);
    }
}

TEST_F(GpuMeasure, OfNothingIsNothing) {
  test::Rng rng(3);
  const AlignLevel level = test::noisyLevel({8, 9, 10}, 100, false, rng),
                   empty = test::noisyLevel({8, 9, 10}, 0, false, rng);
  const auto maps = test::mapsBetween(level, empty, 2, rng);
  for (const auto by : test::kLinearSimilarities) {
    EXPECT_TRUE(device::measureOf(level, level, by)({}, true).empty());
    for (const AlignLevel* const one : {&level, &empty})
      EXPECT_EQ(bitsOf(device::measureOf(*one, empty, by)(maps, true)),
                bitsOf(measureOf(*one, empty, by)(maps, true)));
  }
}

phantom::RegistrationPhantom heads(int size) {
  phantom::RegistrationPhantomOptions options;
  options.kind = phantom::RegistrationPhantomKind::brain, options.size = size;
  return phantom::makeRegistrationPhantom(options);
}

/// The middle slice of an image along an axis.
Series<float> sliceOf(const Series<float>& image, int axis) {
  Grid grid = image.grid;
  const int middle = grid.size[axis] / 2;
  grid.size[axis] = 1;
  Vec3<double> first;
  first[axis] = middle;
  grid.worldFromVoxel.t = image.grid.worldFromVoxel.point(first);
  Series<float> slice(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    Vec3<int> v = grid.voxel(i);
    v[axis] = middle;
    slice.values[std::size_t(i)] = image.values[std::size_t(image.grid.index(v.x, v.y, v.z))];
  }
  return slice;
}

TEST_F(GpuMeasure, PrealignsVolumesAndPlanesAsTheCpuDoes) {
  const phantom::RegistrationPhantom pair = heads(40);
  Mask mask(pair.reference->grid);
  for (std::int64_t i = 0; i < mask.grid.voxels(); ++i)
    mask.values[std::size_t(i)] = mask.grid.voxel(i).y > 10;
  Affine turn, initial;
  turn.m = {{{0.98, -0.17, 0.02}, {0.16, 0.97, -0.1}, {0, 0.1, 1.02}}}, turn.t = {6, -4, 9};
  initial.t = {4, -2, 6};
  Series<float> moved = *pair.templateImage;
  moved.grid.worldFromVoxel = turn * moved.grid.worldFromVoxel;
  const auto expectSame = [&](const Series<float>& a, const Series<float>& b, const Mask* in) {
    for (const auto kind : {LinearAlignment::rigid, LinearAlignment::affine})
      for (const auto by : test::kLinearSimilarities)
        for (const std::optional<Affine>& from : {std::optional<Affine>{}, std::optional(initial)})
          EXPECT_EQ(device::alignLinearly(a, b, in, {kind, by}, from, {}),
                    alignLinearly(a, b, in, {kind, by}, from, {}));
  };
  expectSame(moved, *pair.reference, nullptr);
  expectSame(moved, *pair.reference, &mask);
  for (int axis = 0; axis < 3; ++axis) {
    SCOPED_TRACE(axis);
    Series<float> plane = sliceOf(*pair.templateImage, axis);
    plane.grid.worldFromVoxel.t = plane.grid.worldFromVoxel.t + Vec3<double>{5, -3, 4};
    expectSame(plane, sliceOf(*pair.reference, axis), nullptr);
  }
}

TEST_F(GpuMeasure, TakesNoMoreMemoryThanIsSaidAndGivesItBack) {
  const phantom::RegistrationPhantom pair = heads(64);
  RegistrationInput input;
  input.templateImage = pair.templateImage, input.reference = pair.reference;
  const std::int64_t before = test::deviceBytesInUse();
  const double said = double(device::measureBytes(input)),
               taken = double(test::mostDeviceMemory([&] {
                 (void)device::alignLinearly(*pair.templateImage, *pair.reference, nullptr,
                                             LinearAlignment::affine, {}, {});
               }));
  EXPECT_LE(taken, said * 1.02);
  EXPECT_GE(taken, said * 0.4) << "levels that are smaller than the images";
  EXPECT_EQ(test::deviceBytesInUse(), before);
}

TEST_F(GpuMeasure, StopsWhenAsked) {
  const phantom::RegistrationPhantom pair = heads(40);
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double fraction, std::string_view) {
    if (fraction > 0.5) stop.request_stop();
  });
  const std::int64_t before = test::deviceBytesInUse();
  EXPECT_THROW(device::alignLinearly(*pair.templateImage, *pair.reference, nullptr, LinearAlignment::affine,
                                     {}, progress),
               Cancelled);
  EXPECT_EQ(test::deviceBytesInUse(), before);
}

}  // namespace
}  // namespace sulcus::registration
