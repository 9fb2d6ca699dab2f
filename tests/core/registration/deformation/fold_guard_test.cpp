#include "core/registration/deformation/fold_guard.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/folds.h"
#include "core/registration/deformation/registration_level.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/same_bits.h"

#include <limits>

namespace sulcus::registration {
namespace {

constexpr Vec3<double> kSpacing{1, 1, 1};

double smallestCornerAt(const VectorField<float>& u, int x, int y, int z) {
  return smallestCornerJ(u.at(0, x, y, z), u.at(1, x, y, z), u.at(2, x, y, z), u.row, u.plane,
                         Vec3<float>{1, 1, 1});
}

/// A velocity of at most 1 that compresses the middle.
VectorField<float> squeezing(const Vec3<int>& size) {
  VectorField<float> v(size);
  const Vec3<double> middle{(size.x - 1) / 2.0, (size.y - 1) / 2.0, (size.z - 1) / 2.0};
  for (int z = 1; z + 1 < size.z; ++z)
    for (int y = 1; y + 1 < size.y; ++y)
      for (int x = 1; x + 1 < size.x; ++x) {
        const Vec3<double> d = Vec3<double>{double(x), double(y), double(z)} - middle;
        const double bell = std::exp(-0.5 * dot(d, d) / 16);
        for (int i = 0; i < 3; ++i) *v.at(i, x, y, z) = float(0.4 * d[i] * bell);
      }
  return v;
}

TEST(HoldBack, LeavesAVelocityAloneWhereNothingVanishes) {
  test::Rng rng(1);
  const Vec3<int> size{12, 13, 14};
  auto v = test::displacementOf<float>(size, 1, 0.5, rng);
  const auto before = v;
  guardAgainstFolds(test::displacementOf<float>(size, 0.1, 0, rng), kSpacing, v, {});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(test::sameBits(v.values[i], before.values[i]));
}

TEST(HoldBack, StopsWhatIsBesideAVanishingVoxelAndNothingFarFromIt) {
  const Vec3<int> size{31, 30, 29}, at{15, 14, 13};
  VectorField<float> u(size), v(size);
  // One edge next to `at` is compressed, the others are unchanged; so its neighbor vanishes as well.
  *u.at(0, at.x + 1, at.y, at.z) = 1;
  ASSERT_EQ(smallestCornerAt(u, at.x, at.y, at.z), 0);
  ASSERT_EQ(smallestCornerAt(u, at.x + 1, at.y, at.z), 0);
  ASSERT_EQ(smallestCornerAt(u, at.x - 1, at.y, at.z), 1);
  ASSERT_EQ(foldedShare(u, kSpacing, {}), 2.0 / (size.x * size.y * size.z));
  for (int z = 1; z + 1 < size.z; ++z)
    for (int y = 1; y + 1 < size.y; ++y)
      for (int x = 1; x + 1 < size.x; ++x) v.set(x, y, z, {1, -2, 3});
  guardAgainstFolds(u, kSpacing, v, {});
  for (int z = 1; z + 1 < size.z; ++z)
    for (int y = 1; y + 1 < size.y; ++y)
      for (int x = 1; x + 1 < size.x; ++x) {
        const int dx = x > at.x ? x - at.x - 1 : x - at.x, dy = y - at.y, dz = z - at.z;  // to the nearer one
        const float kept = 1 - heldShare<float>(dx * dx + dy * dy + dz * dz);
        const Vec3<float> held = v(x, y, z);
        EXPECT_NEAR(held.x, kept, 1e-6);
        EXPECT_NEAR(held.y, -2 * kept, 1e-6);
        EXPECT_NEAR(held.z, 3 * kept, 1e-6);
      }
}

TEST(HoldBack, LetsTheRestOfAStepBeTakenWithoutAFold) {
  // The middle is compressed step by step, far beyond the smallest allowed volume.
  const Vec3<int> size{32, 32, 32};
  VectorField<float> u(size), moved(size);
  const auto flow = squeezing(size);
  int held = 0;
  for (int step = 0; step < 40; ++step) {
    auto v = flow;
    compose(u, v, 0.5, kSpacing, moved, {});
    int rounds = 0;
    for (; rounds < 4 && foldedShare(moved, kSpacing, {}) > 0; ++rounds) {
      guardAgainstFolds(moved, kSpacing, v, {});
      compose(u, v, 0.5, kSpacing, moved, {});
    }
    ASSERT_LT(rounds, 4);
    held += rounds;
    ASSERT_GT(foldsOf(moved, kSpacing, {}).smallestJ, kSmallestJ - 1e-6);
    std::swap(u, moved);
  }
  EXPECT_GT(held, 0);
}

TEST(VanishingShare, CountsTheVoxelsOfCellsThatFold) {
  test::Rng rng(6);
  for (const Vec3<int> size : {Vec3<int>{12, 13, 14}, {20, 21, 1}}) {
    const auto u = test::displacementOf<float>(size, 0.3, 0.8, rng);
    std::int64_t count = 0;
    for (int z = 0; z < size.z; ++z)
      for (int y = 0; y < size.y; ++y)
        for (int x = 0; x < size.x; ++x) count += smallestCornerAt(u, x, y, z) <= kSmallestJ;
    EXPECT_GT(count, 0);
    EXPECT_DOUBLE_EQ(foldedShare(u, kSpacing, {}), double(count) / (size.x * size.y * size.z));
  }
}

TEST(HoldBack, IsTheSameForAnyNumberOfThreads) {
  test::Rng rng(5);
  const Vec3<int> size{23, 22, 40};
  const auto u = test::displacementOf<float>(size, 1.2, 0.3, rng);
  auto one = test::displacementOf<float>(size, 1, 0.5, rng), three = one;
  const auto before = one;
  withThreads(1, [&] { guardAgainstFolds(u, kSpacing, one, {}); });
  withThreads(3, [&] { guardAgainstFolds(u, kSpacing, three, {}); });
  EXPECT_FALSE(test::sameBits(one.values[0], before.values[0]));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(test::sameBits(one.values[i], three.values[i]));
}

}  // namespace
}  // namespace sulcus::registration
