#include "core/surface/surface_source.h"

#include "core/base/error.h"
#include "tests/core/surface/surface_sources.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace sulcus::surface {
namespace {

using testing::HasSubstr;
using Kind = SurfaceSource::Kind;

class SurfaceSourceTest : public SourceTest {
 protected:
  std::string complaint(Kind kind, const LayerPtr& layer) const {
    try {
      requireSurface({kind, layer}, options_);
    } catch (const Error& fault) {
      return fault.what();
    }
    return "";
  }
};

TEST_F(SurfaceSourceTest, TakesWhatHasASurface) {
  options_.threshold = 0.5;
  EXPECT_EQ(complaint(Kind::mask, within(8)), "");
  EXPECT_EQ(complaint(Kind::image, within(8)), "");
  EXPECT_EQ(complaint(Kind::mesh, cube(10)), "");
  EXPECT_EQ(complaint(Kind::phi, ball("phi", [](double radius) { return float(radius - 8); })), "");
}

TEST_F(SurfaceSourceTest, RefusesMasksWithoutASurface) {
  EXPECT_THAT(complaint(Kind::mask, within(0)), HasSubstr("The mask 'ball' is empty"));
  EXPECT_THAT(complaint(Kind::mask, within(99)), HasSubstr("The mask 'ball' is full"));
  EXPECT_THAT(complaint(Kind::mask, cube(10)), HasSubstr("'cube' cannot be used as mask"));
  const auto shares = [](double step) {
    return ball("white", [step](double radius) { return radius < 6 ? 1 : radius < 8 ? float(step) : 0; });
  };
  EXPECT_THAT(complaint(Kind::mask, shares(0.5)),
              HasSubstr("'white' is not a mask (it holds several values"));
  EXPECT_EQ(complaint(Kind::mask, shares(2)), "");
  EXPECT_EQ(complaint(Kind::mask, ball("scaled", [](double radius) { return radius < 8 ? 0.5F : 0; })), "");
  options_.label = 1;
  EXPECT_EQ(complaint(Kind::mask, within(8)), "");
  options_.label = 4;
  EXPECT_THAT(complaint(Kind::mask, within(8)), HasSubstr("'ball' has no label 4 (its labels are 1)"));
  EXPECT_THAT(complaint(Kind::mask, ball("half", [](double) { return 0.5F; })),
              HasSubstr("it holds no labels"));
}

TEST_F(SurfaceSourceTest, RefusesImagesWithoutASurface) {
  options_.threshold = 1;
  EXPECT_THAT(complaint(Kind::image, within(8)),
              HasSubstr("The threshold 1 lies outside the image 'ball' (its values are from 0 to 1)"));
  EXPECT_THAT(complaint(Kind::image, ball("none", [](double) { return NAN; })),
              HasSubstr("holds no finite value"));
}

TEST_F(SurfaceSourceTest, RefusesInvalidSeriesLevelSetsAndMeshes) {
  Layer many;
  many.name = "series";
  many.content = VolumeLayer{std::make_shared<const Series<float>>(grid(), 5), {}, 0, {}};
  const auto series = std::make_shared<const Layer>(std::move(many));
  for (const Kind kind : {Kind::mask, Kind::image, Kind::phi})
    EXPECT_THAT(complaint(kind, series), HasSubstr("'series' holds 5 volumes"));
  EXPECT_THAT(complaint(Kind::mesh, within(8)), HasSubstr("'ball' cannot be used as mesh"));
  const auto torn = ball("torn", [](double radius) { return radius < 3 ? NAN : float(radius - 8); });
  EXPECT_THAT(complaint(Kind::phi, torn), HasSubstr("not a number"));
}

TEST_F(SurfaceSourceTest, LeavesRoomForTheBandAroundAMesh) {
  EXPECT_TRUE(sameGrid(gridFor({Kind::mask, within(8)}, options_), grid()));
  options_.spacing = 2, options_.delta = 3, options_.patch = 5;
  const Grid around = gridFor({Kind::mesh, cube(10)}, options_);
  EXPECT_NEAR(around.spacing().x, 2, 1e-9);
  const double margin = 2 * (3 + 2);  // band and half a patch, mm
  const Vec3<double> first = around.worldFromVoxel.point({0, 0, 0});
  EXPECT_LE(first.x, -margin);
  EXPECT_GE(first.x + 2 * (around.size.x - 1), 10 + margin);
}

TEST_F(SurfaceSourceTest, MakesALevelSetThatIsNegativeInside) {
  options_.threshold = 0.5;
  const auto phi = ball("phi", [](double radius) { return float(radius - 8); });
  const auto dark = ball("dark", [](double radius) { return radius > 10 ? NAN : radius < 8 ? 1.F : 0.F; });
  for (const SurfaceSource& source :
       {SurfaceSource{Kind::mask, within(8)}, SurfaceSource{Kind::image, within(8)},
        SurfaceSource{Kind::image, dark}, SurfaceSource{Kind::phi, phi}}) {
    const Volume<float> level = plainLevelSet(source, options_);
    EXPECT_LT(level(12, 12, 12), 0);
    EXPECT_GT(level(0, 0, 0), 0);
  }
}

TEST_F(SurfaceSourceTest, CountsVoxelsWithoutAValue) {
  const auto holes = ball("holes", [](double radius) { return radius < 1 ? NAN : 1.F; });
  EXPECT_THAT(withoutValue({Kind::image, holes}), HasSubstr("8 voxels of the image are not finite"));
  EXPECT_EQ(withoutValue({Kind::image, within(8)}), "");
  EXPECT_EQ(withoutValue({Kind::mask, holes}), "");
}

}  // namespace
}  // namespace sulcus::surface
