#include "core/surface/surface_agreement.h"

#include "core/analysis/agreement.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/surface/surface_maps.h"

#include <algorithm>
#include <cmath>

namespace sulcus::surface {
namespace {

constexpr double kSurfaceTolerance = 0.01;  // voxels; if φ is off by 1e-3, its zero moves somewhat further
constexpr double kSurfaceShareNeeded = 0.999;

/// The share of the elements whose neighbors are the same in both results; 0 if the bands differ.
AgreementRow neighborsRow(const SurfaceSearch& a, const SurfaceSearch& b) {
  if (a.band.voxels != b.band.voxels || a.neighbors.count != b.neighbors.count)
    return shareRow(text("neighbor lists (of ", a.neighbors.count, " in a band of ", a.band.count(),
                         " voxels, and of ", b.neighbors.count, " in one of ", b.band.count(), ")"),
                    0, double(a.band.count()), 1);
  std::int64_t same = 0;
  for (std::int64_t e = 0; e < a.band.count(); ++e)
    same += std::equal(a.neighbors.of(e), a.neighbors.of(e) + a.neighbors.count, b.neighbors.of(e));
  return shareRow("neighbor lists, the same or not", double(same), double(a.band.count()), 1);
}

AgreementRow shapeRow(const levelset::MeshMeasures& shown, const levelset::MeshMeasures& input,
                      const levelset::MeshMeasures& truth) {
  const int right = (shown.components == truth.components) + (shown.cavities == truth.cavities) +
                    (shown.handles == truth.handles);
  return shareRow(
      text("components, cavities, handles (", shown.components, ", ", shown.cavities, ", ", shown.handles,
           "; of the input ", input.components, ", ", input.cavities, ", ", input.handles, "; true ",
           truth.components, ", ", truth.cavities, ", ", truth.handles, ")"),
      right, 3, 1);
}

double percentOff(double volume, double truth) {
  return truth == 0 ? 0 : 100 * std::abs(volume - truth) / truth;
}

}  // namespace

Comparison compareSurfaces(const ShownSurface& a, const ShownSurface& b, const Progress& progress) {
  const Grid& grid = a.phi.grid;
  requireComparable(grid, b.phi.grid, "the same input and voxel size");
  const double edge = voxelEdge(grid);
  std::vector<bool> near(std::size_t(grid.voxels()));
  for (const auto* shown : {&a, &b})
    for (const std::int64_t voxel : shown->run.result.search->band.voxels) near[std::size_t(voxel)] = true;

  Comparison result;
  Volume<float> difference(grid);
  std::vector<double> phi;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const float d = b.phi.at(i, 0) - a.phi.at(i, 0);
    difference.values[std::size_t(i)] = d;
    if (!near[std::size_t(i)]) continue;
    phi.push_back(std::abs(double(d)) / edge);
    if (phi.back() > 0) result.worst.push_back({grid.voxel(i), phi.back()});
    if (result.worst.size() >= 1000) keepWorstVoxels(result.worst);
  }
  keepWorstVoxels(result.worst);
  progress.update(0.1);
  result.rows = {summarized("level set in the band", "voxels", std::move(phi), 0, kPhiTolerance, 1),
                 neighborsRow(*a.run.result.search, *b.run.result.search),
                 summarized("distance of the surfaces", "mm",
                            symmetricDistances(a.mesh, b.mesh, progress.part(0.1, 1, "Comparing")), 0,
                            kSurfaceTolerance * edge, kSurfaceShareNeeded)};
  result.difference =
      mapLayer("difference of the level sets", "mm", "cool-warm", Series<float>(std::move(difference)));
  result.difference->display.visible = true;
  result.before = std::make_shared<const Layer>(plainSurfaceLayer("input_surface", a.run.input));
  return result;
}

std::vector<AgreementRow> compareSurfaceWithTruth(const ShownSurface& shown, const Progress& progress) {
  const double tolerance = kTruthTolerance * voxelEdge(shown.phi.grid);
  const Mesh& truth = *shown.run.truth->surface;
  const levelset::MeshMeasures shownMeasures = levelset::measuresOf(shown.mesh),
                               inputMeasures = shown.run.inputMeasures,
                               trueMeasures = shown.run.truth->measures;
  return {
      summarized("distance to the true surface", "mm",
                 symmetricDistances(shown.mesh, truth, progress.part(0, 0.5, "Truth")), 0, tolerance, 0.95),
      summarized("the same of the input", "mm",
                 symmetricDistances(*shown.run.input, truth, progress.part(0.5, 1, "Truth")), 0, tolerance,
                 0),
      summarized(
          text("volume error (of the input: ", percentOff(inputMeasures.volume, trueMeasures.volume), " %)"),
          "%", {percentOff(shownMeasures.volume, trueMeasures.volume)}, 0, kVolumeTolerance, 1),
      shapeRow(shownMeasures, inputMeasures, trueMeasures)};
}

}  // namespace sulcus::surface
