#include "core/surface/heat_flow.h"

#include "core/base/parallel/parallel_for.h"
#include "tests/core/surface/surface_inputs.h"

#include <algorithm>
#include <limits>
#include <map>

#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

struct Fixture {
  Band band = bandOf(quantized(test::noisyBall(18, 0.4), {}), 2, 5);
  Patches patches = patchesOf(band, {});
  PatchNeighbors neighbors = findNeighbors(band, 24, {});
  std::vector<float> phi;
  Fixture() {
    for (const std::int64_t voxel : band.voxels) phi.push_back(band.phi.values[std::size_t(voxel)]);
  }
};

/// The weights by definition.
std::map<std::pair<std::int32_t, std::int32_t>, double> weightsOf(const Fixture& f, bool symmetric, double c1,
                                                                  double c2) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> weights;
  for (std::int64_t e = 0; e < f.band.count(); ++e)
    for (int k = 0; k < f.neighbors.count; ++k) {
      const std::int32_t o = f.neighbors.of(e)[k];
      double patch = 0, squaredDistance = 0;
      for (int i = 0; i < f.patches.size; ++i)
        patch += std::pow(double(f.patches.of(e)[i]) - f.patches.of(o)[i], 2);
      const Vec3<int> a = f.band.grid().voxel(f.band.voxels[std::size_t(e)]),
                      b = f.band.grid().voxel(f.band.voxels[std::size_t(o)]);
      for (int i = 0; i < 3; ++i) squaredDistance += std::pow(a[i] - b[i], 2);
      const double w = std::exp(-squaredDistance / c1) * std::exp(-patch / c2);
      weights[{std::int32_t(e), o}] = w;
      if (symmetric) weights[{o, std::int32_t(e)}] = w;
    }
  return weights;
}

TEST(PatchGraph, HasTheWeightsOfItsFormula) {
  const Fixture f;
  for (const bool symmetric : {true, false})
    for (const double c1 : {kNone, 50.0}) {
      const double c2 = automaticPatchScale(f.neighbors);
      const auto expected = weightsOf(f, symmetric, c1, c2);
      const PatchGraph graph =
          graphOf(f.band, f.neighbors, symmetric ? PatchWeights::symmetric : PatchWeights::paper, c1, c2, {});
      ASSERT_EQ(graph.index.size(), expected.size());
      double largest = 0;
      for (std::int64_t e = 0; e < f.band.count(); ++e) {
        double sum = 0;
        for (std::int64_t i = graph.first[std::size_t(e)]; i < graph.first[std::size_t(e) + 1]; ++i) {
          const auto found = expected.find({std::int32_t(e), graph.index[std::size_t(i)]});
          ASSERT_NE(found, expected.end());
          ASSERT_NEAR(graph.weight[std::size_t(i)], found->second, 1e-6);
          sum += found->second;
        }
        largest = std::max(largest, sum);
      }
      EXPECT_NEAR(graph.step * (symmetric ? std::max(largest, 24.0) : largest), 1, 1e-6);
    }
}

TEST(PatchGraph, AutomaticScaleIsTheMedianOfTheLastDistances) {
  PatchNeighbors n;
  n.count = 2;
  n.index.resize(10);
  n.distance = {0, 1, 0, 5, 0, 3, 0, 9, 0, 2};
  EXPECT_EQ(automaticPatchScale(n), 3);
  n.distance = {0, 0, 0, 0, 0, 0, 0, 9, 0, 2};
  EXPECT_EQ(automaticPatchScale(n), 9);
  n.distance.assign(10, 0);
  EXPECT_EQ(automaticPatchScale(n), kNone);
}

TEST(HeatStep, IsItsFormulaAndNeverLeavesTheRange) {
  const Fixture f;
  const double c2 = automaticPatchScale(f.neighbors);
  const auto weights = weightsOf(f, true, kNone, c2);
  const PatchGraph graph = graphOf(f.band, f.neighbors, PatchWeights::symmetric, kNone, c2, {});
  std::vector<double> expected(f.phi.begin(), f.phi.end());
  for (const auto& [pair, w] : weights)
    expected[std::size_t(pair.first)] +=
        graph.step * w * (double(f.phi[std::size_t(pair.second)]) - f.phi[std::size_t(pair.first)]);
  std::vector<float> phi = heatStep(graph, f.phi, {});
  for (std::size_t i = 0; i < phi.size(); ++i) ASSERT_NEAR(phi[i], expected[i], 1e-6);
  const auto [low, high] = std::minmax_element(f.phi.begin(), f.phi.end());
  for (int i = 0; i < 30; ++i) {
    phi = heatStep(graph, phi, {});
    const auto [l, h] = std::minmax_element(phi.begin(), phi.end());
    ASSERT_GE(*l, *low);
    ASSERT_LE(*h, *high);
  }
}

TEST(HeatStep, KeepsTheSumAndLowersTheEnergyWhenSymmetric) {
  const Fixture f;
  const PatchGraph graph =
      graphOf(f.band, f.neighbors, PatchWeights::symmetric, kNone, automaticPatchScale(f.neighbors), {});
  const auto sum = [](const std::vector<float>& v) {
    double s = 0;
    for (const float x : v) s += x;
    return s;
  };
  std::vector<float> phi = f.phi;
  const double before = sum(phi);
  double energy = heatEnergy(graph, phi, {});
  for (int i = 0; i < 10; ++i) {
    phi = heatStep(graph, phi, {});
    const double now = heatEnergy(graph, phi, {});
    EXPECT_LT(now, energy);
    energy = now;
  }
  EXPECT_NEAR(sum(phi), before, 1e-4 * double(phi.size()));
}

}  // namespace
}  // namespace sulcus::surface
