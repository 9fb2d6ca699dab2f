// Denoises noisy shapes whose truth is known, with the default options.
#include "core/levelset/mesh_measures.h"
#include "core/phantom/surface_phantom.h"
#include "core/surface/surface.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::toolkits {
namespace {

struct Case {
  const char* name;
  phantom::SurfacePhantomKind kind;
  int size;
  phantom::SurfaceNoise noise;
  double nearer;  ///< nearer by at least this factor
};

class SurfaceQuality : public testing::TestWithParam<Case> {};

double meanDistance(const Volume<float>& truth, const Mesh& mesh) {
  double sum = 0;
  for (const float distance : levelset::sampledAt(truth, mesh.points)) sum += std::abs(distance);
  return sum / double(mesh.points.size());
}

TEST_P(SurfaceQuality, DenoisingRestoresShapeTopologyAndVolume) {
  phantom::SurfacePhantomOptions phantomOptions;
  phantomOptions.kind = GetParam().kind, phantomOptions.size = GetParam().size;
  phantomOptions.noise = GetParam().noise;
  const phantom::SurfacePhantom phantom = phantom::makeSurfacePhantom(phantomOptions);
  surface::SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(signedDistanceOfMask(*phantom.noisy, {}));
  const surface::SurfaceResult result = surface::denoiseSurface(input, {}, {});

  const Mesh noisy = contourOf(*input.phi, {});
  const Mesh denoised =
      contourOf(surface::phiAfter(*result.search, result.flow, result.flow.steps.size() - 1), {});
  const levelset::MeshMeasures truth = levelset::measuresOf(contourOf(*phantom.truth, {})),
                               before = levelset::measuresOf(noisy), after = levelset::measuresOf(denoised);
  EXPECT_GT(meanDistance(*phantom.truth, noisy) / meanDistance(*phantom.truth, denoised), GetParam().nearer);
  EXPECT_GT(before.components + before.cavities, 30);
  EXPECT_EQ(after.components, truth.components);
  EXPECT_EQ(after.cavities, truth.cavities);
  EXPECT_EQ(after.handles, truth.handles);
  EXPECT_EQ(after.euler, 2);
  EXPECT_EQ(after.openEdges, 0);
  EXPECT_NEAR(after.volume / truth.volume, 1, 0.025);
  // At 64 voxels and more also 0.025 of the input; below, edges have more weight and noise itself adds
  // volume.
  EXPECT_NEAR(after.volume / before.volume, 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(
    Phantoms, SurfaceQuality,
    testing::Values(
        Case{"RoughBlocks", phantom::SurfacePhantomKind::blocks, 48, phantom::SurfaceNoise::rough, 1.6},
        Case{"SpeckledBlocks", phantom::SurfacePhantomKind::blocks, 48, phantom::SurfaceNoise::speckle, 3},
        Case{"RoughFold", phantom::SurfacePhantomKind::fold, 40, phantom::SurfaceNoise::rough, 1.6},
        Case{"SpeckledFold", phantom::SurfacePhantomKind::fold, 40, phantom::SurfaceNoise::speckle, 3}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace sulcus::toolkits
