#include "core/registration/deformation/gaussian.h"

#include "tests/core/registration/deformation/level_inputs.h"

namespace sulcus::registration {
namespace {

/// A component of a field at (i, j, k), continued by odd reflection about its border voxels.
double reflectedOddly(const VectorField<double>& f, int component, int i, int j, int k) {
  int at[3] = {i, j, k}, sign = 1;
  for (int a = 0; a < 3; ++a) {
    const int last = f.size[a] - 1;
    if (last == 0) {
      at[a] = 0;
      continue;
    }
    while (at[a] < 0 || at[a] > last) {
      at[a] = at[a] < 0 ? -at[a] : 2 * last - at[a];
      sign = -sign;
    }
  }
  return sign * *f.at(component, at[0], at[1], at[2]);
}

void smooth(const VectorField<double>& from, VectorField<double>& to, double sigma) {
  const auto weights = gaussianWeights(sigma);
  VectorField<double> half(from.size);
  std::vector<double> scratch;
  for (int z = 0; z < from.size.z; ++z) smoothPlane(from, half, z, weights, scratch);
  smoothDepth(half, to, 0, weights, Vec3<double>{1, 1, 1}, {});
}

TEST(GaussianWeights, SumToOneAndHaveTheAskedWidth) {
  for (const double sigma : {0.7, 1.0, 2.0, 4.0}) {
    const auto weights = gaussianWeights(sigma);
    const int radius = int(weights.size() / 2);
    double sum = 0, variance = 0;
    for (int k = -radius; k <= radius; ++k) {
      sum += weights[std::size_t(k + radius)];
      variance += k * k * weights[std::size_t(k + radius)];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(std::sqrt(variance), sigma, 0.02 * sigma);
  }
  EXPECT_EQ(gaussianWeights(0), std::vector<double>{1.0});
}

TEST(VelocitySmoothing, IsTheConvolutionOfTheOddlyContinuedForce) {
  test::Rng rng(1);
  for (const Vec3<int> size :
       {Vec3<int>{9, 8, 7}, Vec3<int>{5, 4, 16}, Vec3<int>{20, 6, 1}, Vec3<int>{1, 9, 10}}) {
    const auto force = test::displacementOf<double>(size, 0.5, 0.5, rng);
    VectorField<double> velocity(size);
    smooth(force, velocity, 1.5);  // with a radius of 5, an axis of 4 voxels is reflected more than once
    const auto weights = gaussianWeights(1.5);
    const int radius = 5;
    const auto weight = [&](int axis, int k) {
      return size[axis] == 1 ? (k == 0 ? 1.0 : 0.0) : weights[std::size_t(k + radius)];
    };
    for (const Vec3<int> at :
         {Vec3<int>{0, 0, 0}, Vec3<int>{size.x - 1, size.y - 1, size.z - 1},
          Vec3<int>{size.x / 2, size.y / 2, size.z / 2}, Vec3<int>{size.x > 1, 1, size.z / 3}})
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (int k = -radius; k <= radius; ++k)
          for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i) {
              const double w = weight(0, i) * weight(1, j) * weight(2, k);
              if (w > 0) sum += w * reflectedOddly(force, c, at.x + i, at.y + j, at.z + k);
            }
        EXPECT_NEAR(*velocity.at(c, at.x, at.y, at.z), sum, 1e-14);
      }
  }
}

TEST(VelocitySmoothing, LeavesTheBorderAtRest) {
  test::Rng rng(2);
  const Vec3<int> size{9, 8, 7};
  VectorField<double> velocity(size);
  smooth(test::displacementOf<double>(size, 0.5, 0.5, rng), velocity, 2);
  for (int z = 0; z < 7; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 9; ++x)
        if (x == 0 || x == 8 || y == 0 || y == 7 || z == 0 || z == 6) {
          EXPECT_LE(norm(velocity(x, y, z)), 1e-15);
        }
}

TEST(VelocitySmoothing, NeverTurnsAgainstTheForce) {
  // Since G is symmetric and positive, the energy decreases along G * f.
  test::Rng rng(3);
  for (int trial = 0; trial < 10; ++trial) {
    const Vec3<int> size{9, 8, 7};
    const auto force = test::displacementOf<double>(size, 0.5, 1, rng);
    VectorField<double> velocity(size);
    smooth(force, velocity, rng.uniform(0.5, 2));
    double product = 0;
    for (int c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < force.values[c].size(); ++i)
        product += force.values[c][i] * velocity.values[c][i];
    EXPECT_GT(product, 0);
  }
}

TEST(VelocitySmoothing, AddsToTheMomentumAndMeasuresInVoxels) {
  test::Rng rng(4);
  const Vec3<int> size{9, 8, 7};
  const auto weights = gaussianWeights(1);
  const auto force = test::displacementOf<double>(size, 0.5, 0.5, rng);
  VectorField<double> once(size), twice(size);
  smoothDepth(force, once, 0, weights, Vec3<double>{1, 1, 1}, {});
  smoothDepth(force, twice, 0, weights, Vec3<double>{1, 1, 1}, {});
  const Vec3<double> inverse{1, 0.5, 0.25};
  const double largest = smoothDepth(force, twice, 0.5, weights, inverse, {});
  double expected = 0;
  for (int z = 0; z < 7; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 9; ++x) {
        const auto a = once(x, y, z), b = twice(x, y, z);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(b[c], 1.5 * a[c], 1e-15);
        expected = std::max(expected, norm(Vec3<double>{b.x, b.y / 2, b.z / 4}));
      }
  EXPECT_NEAR(largest, expected, 1e-14);
}

TEST(ImageSmoothing, KeepsAConstantAndTheMiddleOfASpike) {
  const Vec3<int> size{11, 9, 13};
  std::vector<float> constant(11 * 9 * 13, 3.5f), spike(11 * 9 * 13, 0.f);
  for (const float v : smoothed(constant, size, {1, 2, 0.5}, {})) EXPECT_NEAR(v, 3.5, 1e-5);
  spike[std::size_t(5 + 11 * (4 + 9 * 6))] = 1;
  const auto soft = smoothed(spike, size, {1, 0, 0}, {});
  EXPECT_NEAR(soft[std::size_t(5 + 11 * (4 + 9 * 6))], gaussianWeights(1)[3], 1e-6);
  EXPECT_NEAR(soft[std::size_t(7 + 11 * (4 + 9 * 6))], gaussianWeights(1)[5], 1e-6);
  EXPECT_EQ(soft[std::size_t(5 + 11 * (5 + 9 * 6))], 0);
}

}  // namespace
}  // namespace sulcus::registration
