#include "core/surface/surface_agreement.h"

#include "core/base/error.h"
#include "core/surface/surface_maps.h"
#include "tests/core/surface/surface_results.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

using testing::HasSubstr;

/// A result with the level set and the surface that are displayed.
struct Shown {
  DenoisedSurface run;
  Series<float> phi;
  Mesh mesh;
  explicit Shown(const SurfaceOptions& options = test::quickOptions())
      : run(test::denoisedBall(options)),
        phi(phiAfter(*run.result.search, run.result.flow, run.result.flow.steps.size() - 1)),
        mesh(*run.surface) {}
  ShownSurface view() const { return {run, phi, mesh}; }
};

TEST(SurfaceAgreement, FindsNoDifferenceBetweenTheSame) {
  const Shown a, b;
  const auto same = compareSurfaces(a.view(), b.view());
  EXPECT_TRUE(same.agrees());
  EXPECT_TRUE(same.worst.empty());
  ASSERT_TRUE(same.before);
  EXPECT_EQ(std::get<MeshLayer>(same.before->content).mesh, a.run.input);
  EXPECT_EQ(same.rows[0].compared, double(a.run.result.search->band.count()))
      << "what lies far from the surface does not count";
}

TEST(SurfaceAgreement, FindsTheVoxelThatDiffers) {
  const Shown a;
  Shown b;
  const std::int64_t voxel = a.run.result.search->band.voxels[7];
  b.phi.values[std::size_t(voxel)] += 0.5F;
  const auto other = compareSurfaces(a.view(), b.view());
  EXPECT_FALSE(other.rows[0].agrees());
  EXPECT_NEAR(other.rows[0].maximum, 0.5, 1e-6);
  ASSERT_EQ(other.worst.size(), 1u);
  EXPECT_EQ(other.worst[0].voxel, a.phi.grid.voxel(voxel));
  const auto& difference = std::get<VolumeLayer>(other.difference->content).series->values;
  EXPECT_NEAR(difference[std::size_t(voxel)], 0.5, 1e-6) << "b − a";
  EXPECT_TRUE(other.rows[1].agrees());
  EXPECT_TRUE(other.rows[2].agrees());
}

TEST(SurfaceAgreement, FindsAnotherNeighborAndAnotherSurface) {
  const Shown a;
  Shown b;
  auto search = std::make_shared<SurfaceSearch>(*b.run.result.search);
  std::swap(search->neighbors.index[0], search->neighbors.index[1]);
  b.run.result.search = search;
  b.mesh.points[0] = {-5, 0, 0};
  const auto other = compareSurfaces(a.view(), b.view());
  EXPECT_FALSE(other.rows[1].agrees());
  EXPECT_DOUBLE_EQ(other.rows[1].shareWithin, 1 - 1 / other.rows[1].compared);
  EXPECT_FALSE(other.rows[2].agrees());
  EXPECT_DOUBLE_EQ(other.rows[2].maximum, 2);
}

TEST(SurfaceAgreement, TellsBandsApart) {
  const Shown a;
  SurfaceOptions wide = test::quickOptions();
  wide.delta = 3;
  const Shown b(wide);
  const auto other = compareSurfaces(a.view(), b.view());
  EXPECT_EQ(other.rows[1].shareWithin, 0);
  EXPECT_THAT(other.rows[1].quantity, HasSubstr("in a band of"));
}

TEST(SurfaceAgreement, RefusesOtherGrids) {
  const Shown a;
  Shown b;
  b.phi = Series<float>(Grid{{3, 3, 3}, {}}, 1);
  EXPECT_THROW(compareSurfaces(a.view(), b.view()), Error);
}

TEST(SurfaceAgreement, MeasuresTheDistanceToTheTruth) {
  Shown shown;
  const Mesh truth = test::octahedron(3);
  shown.run.truth = SurfaceTruth{std::make_shared<const Mesh>(truth), levelset::measuresOf(truth), {}, {}};
  const auto rows = compareSurfaceWithTruth(shown.view());
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].maximum, 0);
  EXPECT_NEAR(rows[1].mean, (1 + 1 / std::sqrt(3.0)) / 2, 1e-6) << "of the input";
  EXPECT_EQ(rows[2].mean, 0);
  EXPECT_THAT(rows[2].quantity, HasSubstr("137 %")) << "(4/3)³";
  EXPECT_THAT(rows[3].quantity, HasSubstr("1, 0, 0; of the input 1, 0, 0; true 1, 0, 0"));
  EXPECT_TRUE(rows[3].agrees());
  shown.run.truth->measures.handles = 2;
  EXPECT_FALSE(compareSurfaceWithTruth(shown.view())[3].agrees());
}

TEST(SurfaceLayers, ColorPointsByTheirDistanceToTheInput) {
  Volume<float> phi(Grid{{9, 9, 9}, {}}), was = phi;
  for (std::int64_t i = 0; i < was.grid.voxels(); ++i)
    was.values[std::size_t(i)] = float(was.grid.voxel(i).x) - 4;  // the left half is inside
  Mesh mesh;
  mesh.points = {{5, 4, 4}, {2.5F, 1, 1}};
  const auto layers = surfaceLayers(mesh, phi, was, {{1, 1, 3, 0.5}});
  const auto& displacement =
      std::get<MeshLayer>(layers[0].content).mesh->pointScalars.at(kDisplacementScalars);
  EXPECT_THAT(displacement, testing::ElementsAre(1, -1.5F)) << "positive outside";
  EXPECT_EQ(layers[0].display.range->low, -layers[0].display.range->high);
  EXPECT_EQ(std::get<TableLayer>(layers[3].content).rows,
            (std::vector<std::vector<std::string>>{{"1", "1", "3", "0.5"}}));
  EXPECT_EQ(surfacePreview(mesh, phi, was).size(), 2u);
}

}  // namespace
}  // namespace sulcus::surface
