#include "core/surface/surface_pieces.h"

#include "core/surface/surface.h"
#include "tests/core/surface/surface_inputs.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The distance to the nearer of two balls of 6 mm whose centers are this far apart.
Volume<float> twoBalls(double apart) {
  Grid grid;
  grid.size = {40, 22, 22};
  Volume<float> phi(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const double x = std::abs(v.x - 19.5) - apart / 2;
    phi.values[std::size_t(i)] =
        float(std::sqrt(x * x + std::pow(v.y - 10.6, 2) + std::pow(v.z - 10.3, 2)) - 6);
  }
  return phi;
}

struct Pieces {
  explicit Pieces(Volume<float> volume)
      : band(bandOf(quantized(volume, {}), 3, 3)), pieces(band, false), phi(of(band.phi)) {}
  /// φ of a level set on the band.
  std::vector<float> of(const Volume<float>& volume) const {
    std::vector<float> values;
    for (const std::int64_t voxel : band.voxels) values.push_back(volume.values[std::size_t(voxel)]);
    return values;
  }
  Band band;
  SurfacePieces pieces;
  std::vector<float> phi;
};

TEST(SurfacePieces, GetTheirVolumesBackEachItsOwn) {
  const Pieces two(twoBalls(16));
  std::vector<float> changed = two.phi;
  for (std::size_t e = 0; e < changed.size(); ++e)
    changed[e] += two.band.grid().voxel(two.band.voxels[e]).x < 20 ? 0.2F : -0.1F;
  std::vector<float> kept = changed;
  two.pieces.keepVolumes(kept);
  double worst = 0, before = 0;
  for (std::size_t e = 0; e < kept.size(); ++e) {
    // Half-way between the balls, an element may belong to either.
    if (std::abs(two.band.grid().voxel(two.band.voxels[e]).x - 19.5) < 2) continue;
    worst = std::max(worst, std::abs(double(kept[e]) - double(two.phi[e])));
    before = std::max(before, std::abs(double(changed[e]) - double(two.phi[e])));
  }
  EXPECT_NEAR(before, 0.2, 1e-6);
  // All voxels that changed sides did so in one direction: an eighth of them is allowed for noise.
  EXPECT_LT(worst, 0.04);
}

TEST(SurfacePieces, AreLeftAloneWhereNothingChanged) {
  const Pieces two(twoBalls(16));
  std::vector<float> kept = two.phi;
  two.pieces.keepVolumes(kept);
  EXPECT_EQ(kept, two.phi);
  EXPECT_THAT(two.pieces.warnings(two.phi), IsEmpty());
}

TEST(SurfacePieces, AreMissedWhenTheyVanishMergeOrFallApart) {
  const Pieces two(twoBalls(16));
  std::vector<float> one = two.phi;
  for (std::size_t e = 0; e < one.size(); ++e)
    if (two.band.grid().voxel(two.band.voxels[e]).x < 20) one[e] = 1;
  // The part of the ball deeper than the band remains.
  EXPECT_THAT(two.pieces.warnings(one),
              ElementsAre(HasSubstr("Warning: 1 piece of the surface vanished completely or mostly")));

  const Pieces apart(twoBalls(14)), together(twoBalls(11));
  EXPECT_THAT(apart.pieces.warnings(apart.of(twoBalls(11))),
              testing::Contains(HasSubstr("Warning: 2 pieces of the surface merged with another")));
  EXPECT_THAT(together.pieces.warnings(together.of(twoBalls(14))),
              testing::Contains(HasSubstr("Warning: 1 piece of the surface fell apart")));
}

TEST(SurfacePieces, ThatChangeByMoreThanNoiseExplainsAreTold) {
  const Pieces two(twoBalls(16));
  std::vector<float> smaller = two.phi;
  for (float& value : smaller) value += 0.3F;
  EXPECT_THAT(two.pieces.warnings(smaller),
              testing::Contains(HasSubstr("Warning: 2 pieces changed in volume by "
                                          "more than noise explains, by up to −")));
}

}  // namespace
}  // namespace sulcus::surface
