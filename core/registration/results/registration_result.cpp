#include "core/registration/results/registration_result.h"

#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/registration/deformation/folds.h"
#include "core/registration/deformation/inverse.h"
#include "core/registration/deformation/landmark_table.h"
#include "core/registration/preparation/cubic_spline.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/apply_field.h"
#include "core/registration/results/maps_kernel.h"
#include "core/registration/results/overlap_metrics.h"
#include "core/registration/similarity/local_correlation.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

constexpr std::int64_t kRowsPerBlock = 64;
constexpr double kInverseBound = 0.05;  // voxels; larger residuals of the inverse get a note

/// Calls body(y, z, first index of the row) for all rows.
template <class Body>
void forEachRow(const Vec3<int>& size, const Progress& progress, const Body& body) {
  parallelFor(std::int64_t(size.y) * size.z, kRowsPerBlock, progress,
              [&](std::int64_t r) { body(int(r % size.y), int(r / size.y), r * size.x); });
}

/// The original template moved by a displacement.
Volume<float> warpedTemplate(const RegistrationInput& input, const Series<float>& displacement,
                             Interpolation interpolation, const Progress& progress) {
  return Volume<float>(displaced(*input.templateImage, displacement, interpolation, 0, progress));
}

/// The pre-aligned template of a level at x − u(x), one value per voxel.
std::vector<float> warpedLevel(const LevelImages<float>& images, const VectorField<float>& u,
                               Interpolation interpolation, const Progress& progress) {
  std::vector<float> result(images.moving.size());
  const auto warp = [&](const auto& image) {
    forEachRow(images.size, progress, [&](int y, int z, std::int64_t at) {
      for (int x = 0; x < images.size.x; ++x)
        result[at + x] = interpolatedAt(image, movedPlace({x, y, z}, u(x, y, z), images.spacing));
    });
  };
  if (interpolation == Interpolation::cubic)
    warp(SplineImage(images.moving, images.size, progress).view());
  else
    warp(VolumeView<const float>{images.moving.data(), images.size});
  return result;
}

}  // namespace

Series<float> composedDisplacement(const VectorField<float>& u, const Grid& grid,
                                   const Affine& templateFromReference, const Progress& progress) {
  Series<float> result(grid, 3);
  const Vec3<double> spacing = grid.spacing();
  const AffineMap worldFromVoxel = grid.worldFromVoxel, toTemplate = templateFromReference;
  forEachRow(grid.size, progress, [&](int y, int z, std::int64_t at) {
    for (int x = 0; x < grid.size.x; ++x) {
      const Vec3<double> d =
          displacementToTemplate({x, y, z}, u(x, y, z), spacing, worldFromVoxel, toTemplate);
      for (int i = 0; i < 3; ++i) result.at(at + x, i) = float(d[i]);
    }
  });
  return result;
}

VectorField<float> flowOf(const Series<float>& displacement, const Grid& grid,
                          const Affine& templateFromReference, const Progress& progress) {
  VectorField<float> u(grid.size);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse(),
               voxelFromTemplate = voxelFromWorld * templateFromReference.inverse(),
               ofField = displacement.grid.worldFromVoxel.inverse();
  const Vec3<double> spacing = grid.spacing();
  forEachRow(grid.size, progress, [&](int y, int z, std::int64_t) {
    for (int x = 0; x < grid.size.x; ++x) {
      if (!mayMove(grid.size, x, y, z)) continue;
      const Vec3<double> voxel = placeOf({x, y, z});
      const Vec3<double> moved =
          voxelFromTemplate.point(displacedPoint(grid.worldFromVoxel.point(voxel), displacement, ofField));
      u.set(x, y, z,
            {float((voxel.x - moved.x) * spacing.x), float((voxel.y - moved.y) * spacing.y),
             float((voxel.z - moved.z) * spacing.z)});
    }
  });
  return u;
}

Volume<float> logJacobianOf(const VectorField<float>& u, const Grid& grid, std::vector<RowFigures>& rows,
                            const Progress& progress) {
  Volume<float> result(grid);
  const Vec3<float> half = 0.5f * inverseOf<float>(grid.spacing());
  const FieldArrays field = arraysOf(u);
  rows.assign(std::size_t(grid.size.y) * grid.size.z, {});
  forEachRow(grid.size, progress, [&](int y, int z, std::int64_t at) {
    for (int x = 0; x < grid.size.x; ++x) {
      const float l = logJacobianAt(field, {x, y, z}, half);
      result.values[at + x] = l;
      rows[at / grid.size.x].add(l, field.at({x, y, z}));
    }
  });
  return result;
}

RegistrationPreview previewOf(const RegistrationInput& input, const RegistrationPlan& plan,
                              const PlannedLevel& level, const VectorField<float>& u,
                              const std::vector<RegistrationIteration>& iterations,
                              const Progress& progress) {
  std::vector<RowFigures> rows;
  Series<float> displacement = composedDisplacement(u, level.grid, plan.templateFromReference, progress);
  Volume<float> warped = warpedTemplate(input, displacement, Interpolation::linear, progress);
  return {std::move(displacement),
          std::move(warped),
          logJacobianOf(u, level.grid, rows, progress),
          std::int64_t(foldsOf(u, level.grid.spacing(), progress).cells.size()),
          iterations,
          plan.symmetric};
}

void unfoldAll(VectorField<float>& u, const Grid& grid, RegistrationResult& result,
               const Progress& progress) {
  const Vec3<double> spacing = grid.spacing();
  Folds folds = foldsOf(u, spacing, progress);
  const std::size_t found = folds.cells.size();
  const double moved = unfold(u, spacing, folds, progress);
  result.smallestCornerJ = folds.smallestJ;
  result.foldedCells = std::int64_t(folds.cells.size());
  if (found > 0)
    result.notes.push_back(text("Where ", counted(std::int64_t(found), "cell"),
                                " folded between voxels the displacement was smoothed, by up to ", moved,
                                " mm."));
  if (folds.cells.empty()) return;
  result.notes.push_back(text(counted(std::ssize(folds.cells), "cell still folds", "cells still fold"),
                              " (smallest one-sided J ", folds.smallestJ,
                              "), although J is above 0 at every voxel."));
  result.folds = Mask(grid);
  for (const std::int64_t cell : folds.cells) {
    const Vec3<int> v = grid.voxel(cell);
    for (int z = v.z; z <= std::min(v.z + 1, grid.size.z - 1); ++z)
      for (int y = v.y; y <= std::min(v.y + 1, grid.size.y - 1); ++y)
        for (int x = v.x; x <= std::min(v.x + 1, grid.size.x - 1); ++x) result.folds(x, y, z) = 1;
  }
}

RegistrationResult plannedResult(const RegistrationPlan& plan) {
  RegistrationResult result;
  result.templateFromReference = plan.templateFromReference;
  result.biasField = plan.biasField;
  result.scale = plan.scale;
  result.similarity = plan.similarity;
  return result;
}

void addFigures(const std::vector<RowFigures>& rows, RegistrationResult& result) {
  RowFigures all;
  for (const RowFigures& row : rows) {
    all.sum += row.sum;
    all.squares += row.squares;
    all.smallest = std::min(all.smallest, row.smallest);
    all.reach = std::max(all.reach, row.reach);
  }
  const double voxels = double(result.displacement.grid.voxels());
  result.meanLogJ = all.sum / voxels;
  result.sdLogJ = std::sqrt(std::max(0.0, all.squares / voxels - result.meanLogJ * result.meanLogJ));
  result.smallestJ = std::exp(all.smallest);
  result.largestDisplacement = all.reach;
}

void finishResult(const RegistrationInput& input, InverseField inverse, RegistrationResult& result) {
  result.inverse = std::move(inverse.displacement);
  result.inverseResidual = std::move(inverse.residual);
  result.largestInverseResidual = inverse.largestResidual;
  result.landmarks =
      landmarkDistances(input.landmarks, result.templateFromReference, result.displacement, result.inverse);
  if (result.largestInverseResidual > kInverseBound)
    result.notes.push_back(text("The inverse misses by up to ", result.largestInverseResidual, " voxels."));
}

RegistrationResult resultOf(const RegistrationInput& input, const RegistrationPlan& plan,
                            VectorField<float> u, const Progress& progress) {
  const PlannedLevel& level = plan.levels.back();
  const Grid& grid = level.grid;
  RegistrationResult result = plannedResult(plan);
  unfoldAll(u, grid, result, progress.part(0, 0.1, "Maps"));
  result.displacement =
      composedDisplacement(u, grid, plan.templateFromReference, progress.part(0.1, 0.2, "Maps"));
  result.warped =
      warpedTemplate(input, result.displacement, plan.interpolation, progress.part(0.2, 0.3, "Maps"));
  result.aligned = resampled(*input.templateImage, grid, plan.templateFromReference,
                             {plan.interpolation, 0.f}, nullptr, progress.part(0.3, 0.35, "Maps"));

  std::vector<RowFigures> rows;
  result.logJacobian = logJacobianOf(u, grid, rows, progress.part(0.35, 0.4, "Maps"));
  addFigures(rows, result);

  result.before = fitOf(level.images().moving, level.images().reference, plan.region);
  std::vector<float> warped =
      warpedLevel(level.images(), u, plan.interpolation, progress.part(0.4, 0.45, "Maps"));
  result.after = fitOf(warped, level.images().reference, plan.region);
  if (plan.similarity == Similarity::lcc)
    result.localCorrelation = {grid, localCorrelation(level.images(), plan.window, std::move(warped),
                                                      progress.part(0.45, 0.5, "Maps"))};
  finishResult(input,
               invert(u, grid, input.templateImage->grid, plan.templateFromReference,
                      progress.part(0.5, 1, "Inverse")),
               result);
  if (plan.symmetric)
    result.warpedReference = Volume<float>(
        displaced(*input.reference, result.inverse, plan.interpolation, 0, progress.part(1, 1, "Maps")));
  return result;
}

}  // namespace sulcus::registration
