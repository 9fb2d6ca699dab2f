#include "core/group/component_sweep.h"

#include "core/image/labels/clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

constexpr int kSize = 7;

struct Image {
  std::vector<std::int64_t> voxels;
  std::vector<float> values;
};

/// Values of a smooth field with ties, on a ball of a grid.
Image randomImage(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Image image;
  for (int i = 0; i < kSize * kSize * kSize; ++i) {
    const int x = i % kSize - 3, y = i / kSize % kSize - 3, z = i / kSize / kSize - 3;
    if (x * x + y * y + z * z > 12) continue;
    image.voxels.push_back(i);
    image.values.push_back(std::round(8 * normal(random)) / 4);
  }
  return image;
}

/// The component of `start` among the voxels at or above a height, by walking from neighbor to neighbor.
std::vector<std::size_t> componentAt(const Image& image, std::size_t start, double height, int most) {
  std::vector<std::size_t> found{start};
  std::vector<bool> isFound(image.voxels.size());
  isFound[start] = true;
  for (std::size_t next = 0; next < found.size(); ++next)
    for (std::size_t j = 0; j < image.voxels.size(); ++j) {
      if (isFound[j] || image.values[j] < height) continue;
      const auto a = image.voxels[found[next]], b = image.voxels[j];
      const auto dx = std::abs(a % kSize - b % kSize), dy = std::abs(a / kSize % kSize - b / kSize % kSize),
                 dz = std::abs(a / kSize / kSize - b / kSize / kSize);
      if (std::max({dx, dy, dz}) > 1 || dx + dy + dz > most) continue;
      isFound[j] = true;
      found.push_back(j);
    }
  return found;
}

/// ∫ e(h)^E h^H dh up to the value of a voxel, over all intervals of heights.
double tfceOf(const Image& image, std::size_t voxel, const SweepOptions& options, int most) {
  std::set<double> heights{0};
  for (const float value : image.values)
    if (value > 0 && value <= image.values[voxel]) heights.insert(value);
  double sum = 0, below = 0;
  for (const double height : heights) {
    if (height == 0) continue;
    const auto extent = double(componentAt(image, voxel, height, most).size());
    const double power = options.heightPower + 1;
    sum += std::pow(extent, options.extentPower) * (std::pow(height, power) - std::pow(below, power)) / power;
    below = height;
  }
  return sum;
}

TEST(ComponentSweep, IsTheIntegralOverAllHeights) {
  for (const auto& [connectivity, most] :
       {std::pair(Connectivity::faces, 1), std::pair(Connectivity::edges, 2),
        std::pair(Connectivity::corners, 3)})
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const Image image = randomImage(seed);
      const SweepOptions options{connectivity, seed == 2 ? 1.0 : 0.5, seed == 3 ? 1.5 : 2.0, 1};
      ComponentSweep sweep({kSize, kSize, kSize}, image.voxels, options);
      std::vector<float> tfce(image.values.size()), extent(tfce), mass(tfce);
      sweep.addMaps(image.values, 1, tfce, extent, mass);
      float largest = 0;
      for (std::size_t i = 0; i < tfce.size(); ++i) {
        const double right = image.values[i] > 0 ? tfceOf(image, i, options, most) : 0;
        ASSERT_NEAR(tfce[i], right, 1e-5 * (1 + right)) << "voxel " << i << " seed " << seed;
        largest = std::max(largest, tfce[i]);
      }
      EXPECT_EQ(sweep.largest(image.values, 1).tfce, largest);
    }
}

TEST(ComponentSweep, FindsClustersBeyondTheThreshold) {
  const Image image = randomImage(4);
  const SweepOptions options{Connectivity::faces, 0.5, 2, 1};
  ComponentSweep sweep({kSize, kSize, kSize}, image.voxels, options);
  std::vector<float> tfce(image.values.size()), extent(tfce), mass(tfce);
  sweep.addMaps(image.values, 1, tfce, extent, mass);
  float largestExtent = 0, largestMass = 0;
  for (std::size_t i = 0; i < extent.size(); ++i) {
    if (image.values[i] <= 1) {
      EXPECT_EQ(extent[i], 0);
      continue;
    }
    const auto cluster = componentAt(image, i, std::nextafter(1., 2.), 1);
    double above = 0;
    for (const auto j : cluster) above += image.values[j] - 1;
    EXPECT_EQ(extent[i], float(cluster.size()));
    EXPECT_NEAR(mass[i], above, 1e-5);
    largestExtent = std::max(largestExtent, extent[i]);
    largestMass = std::max(largestMass, mass[i]);
  }
  EXPECT_GT(largestExtent, 1);
  EXPECT_EQ(sweep.largest(image.values, 1).extent, largestExtent);
  EXPECT_EQ(sweep.largest(image.values, 1).mass, largestMass);
}

TEST(ComponentSweep, TakesTheOtherSideAlikeAndForgetsTheImageBefore) {
  Image image = randomImage(5);
  ComponentSweep sweep({kSize, kSize, kSize}, image.voxels, {Connectivity::corners, 0.5, 2, 1});
  const LargestOfImage below = sweep.largest(image.values, -1);
  sweep.largest(randomImage(6).values, 1);
  for (float& value : image.values) value = -value;
  const LargestOfImage turned = sweep.largest(image.values, 1);
  EXPECT_EQ(below.tfce, turned.tfce);
  EXPECT_EQ(below.value, turned.value);
  EXPECT_EQ(below.mass, turned.mass);
  std::fill(image.values.begin(), image.values.end(), -1.f);
  EXPECT_EQ(sweep.largest(image.values, 1).tfce, 0);
  EXPECT_EQ(sweep.largest(image.values, 1).extent, 0);
}

}  // namespace
}  // namespace sulcus::group
