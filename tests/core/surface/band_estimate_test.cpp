#include "core/surface/band_estimate.h"

#include "tests/core/surface/surface_sources.h"

#include <numbers>

namespace sulcus::surface {
namespace {

using Kind = SurfaceSource::Kind;
using BandEstimateTest = SourceTest;

TEST_F(BandEstimateTest, FollowsFromTheAreaOfTheSurface) {
  options_.delta = 2, options_.threshold = 0.5;
  const double sphere = 4 * std::numbers::pi * 8 * 8 * 2 * options_.delta;  // mm³, 1 mm³ a voxel
  const auto phi = ball("phi", [](double radius) { return float(radius - 8); });
  for (const SurfaceSource& source : {SurfaceSource{Kind::mask, within(8)},
                                      SurfaceSource{Kind::image, within(8)}, SurfaceSource{Kind::phi, phi}}) {
    const BandEstimate estimate = bandEstimate(source, options_);
    EXPECT_NEAR(estimate.voxels / sphere, 1, 0.15);
    EXPECT_EQ(estimate.gridVoxels, 24 * 24 * 24);
  }
  EXPECT_EQ(bandEstimate({Kind::mask, within(0)}, options_).voxels, 0);
  options_.label = 2;
  EXPECT_EQ(bandEstimate({Kind::mask, within(8)}, options_).voxels, 0);
  options_.spacing = 1;
  EXPECT_NEAR(bandEstimate({Kind::mesh, cube(10)}, options_).voxels, 6 * 100 * 2 * options_.delta, 1e-6);
}

}  // namespace
}  // namespace sulcus::surface
