#include "core/registration/linear/halfway_space.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/grid_corners.h"
#include "core/image/grids/interpolate.h"
#include "core/registration/deformation/inverse.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::registration {
namespace {

/// The spacing of a grid along the axes of its frame: that of the voxel axis closest to each.
Vec3<double> spacingAlongFrame(const Affine& frameFromVoxel) {
  Vec3<double> spacing;
  for (int a = 0; a < 3; ++a) {
    double most = -1;
    for (int j = 0; j < 3; ++j) {
      const Vec3<double> column = frameFromVoxel.column(j);
      const double share = std::abs(column[a]) / norm(column);
      if (share > most) most = share, spacing[a] = norm(column);
    }
  }
  return spacing;
}

/// The grid along the axes of the middle that covers the intersection of two grids, with the finer spacing of
/// both. Nothing is compared beyond it, and nothing moves at its border, so that the borders of both images
/// stay.
Grid commonGrid(const Vec3<int>& sizeA, const Affine& middleFromA, const Vec3<int>& sizeB,
                const Affine& middleFromB) {
  constexpr double kNothing = 1e-3;  // voxels; negligible
  Vec3<double> low{-INFINITY, -INFINITY, -INFINITY}, high = -low;
  const auto limit = [&](const Vec3<int>& size, const Affine& map) {
    Vec3<double> least{INFINITY, INFINITY, INFINITY}, most = -least;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3<double> p = map.point(cornerOf(size, corner));
      for (int a = 0; a < 3; ++a) least[a] = std::min(least[a], p[a]), most[a] = std::max(most[a], p[a]);
    }
    for (int a = 0; a < 3; ++a) low[a] = std::max(low[a], least[a]), high[a] = std::min(high[a], most[a]);
  };
  limit(sizeA, middleFromA), limit(sizeB, middleFromB);
  const Vec3<double> spacingA = spacingAlongFrame(middleFromA), spacingB = spacingAlongFrame(middleFromB);
  Grid grid;
  for (int a = 0; a < 3; ++a) {
    const double spacing = std::min(spacingA[a], spacingB[a]);
    if (!(high[a] - low[a] > 3 * spacing))
      throw Error("Template and reference hardly overlap", "there is no middle to meet in",
                  "check the positions in both headers, or register without {symmetric}"_message);
    grid.size[a] = 1 + int(std::floor((high[a] - low[a]) / spacing + kNothing));
    grid.worldFromVoxel.m[a][a] = spacing;
    grid.worldFromVoxel.t[a] = low[a];
  }
  return grid;
}

}  // namespace

HalfwaySpace halfwaySpaceOf(const Grid& templateGrid, const Grid& reference,
                            const Affine& templateFromReference) {
  const auto half = squareRoot(templateFromReference);
  if (!half)
    throw Error("There is no middle between template and reference",
                "the pre-alignment mirrors them or turns them by half a circle",
                "register without {symmetric}, or give another initial transform"_message);
  HalfwaySpace middle{*half, half->inverse(), {}};
  const Affine middleFromReference = *half * reference.worldFromVoxel;
  const bool plane = reference.size.x == 1 || reference.size.y == 1 || reference.size.z == 1;
  middle.grid = plane
                    ? Grid{reference.size, middleFromReference}
                    : commonGrid(templateGrid.size, middle.referenceFromMiddle * templateGrid.worldFromVoxel,
                                 reference.size, middleFromReference);
  return middle;
}

RegistrationPlan planInHalfwaySpace(const RegistrationInput& input, const HalfwaySpace& middle,
                                    RegistrationOptions options, const PreparationSteps& steps,
                                    const Progress& progress) {
  const Series<float>& reference = *input.reference;
  RegistrationInput result = input;
  Mask compared;
  result.reference =
      std::make_shared<Series<float>>(resampled(reference, middle.grid, middle.referenceFromMiddle,
                                                {alignmentInterpolation(options)}, &compared, progress));
  if (input.mask) {
    const Volume<float> values(reference.grid, {input.mask->values.begin(), input.mask->values.end()});
    const Volume<float> mask = resampled(values, middle.grid, middle.referenceFromMiddle,
                                         {Interpolation::nearest, 0.f}, nullptr, progress);
    for (std::size_t i = 0; i < mask.values.size(); ++i) compared.values[i] = mask.values[i] != 0;
  }
  result.mask = std::make_shared<const Mask>(std::move(compared));
  result.initial = middle.templateFromMiddle;
  if (input.weights)
    result.weights = std::make_shared<const Volume<float>>(
        resampled(*input.weights, middle.grid, middle.referenceFromMiddle, {Interpolation::linear, 0.f},
                  nullptr, progress));
  result.landmarks = {};
  // The other references are placed in the middle by their headers.
  for (RegistrationChannel& channel : result.further) {
    auto placedThere = std::make_shared<Series<float>>(*channel.reference);
    placedThere->grid.worldFromVoxel =
        middle.referenceFromMiddle.inverse() * channel.reference->grid.worldFromVoxel;
    channel.reference = std::move(placedThere);
  }
  options.affine = LinearAlignment::none;
  RegistrationPlan plan = planRegistration(result, options, progress, PlanUse::flow, steps);
  addLandmarks(plan, placed(input.landmarks, middle.templateFromMiddle, middle.referenceFromMiddle, true),
               finestSpacing(input.reference->grid));
  return plan;
}

Grid gridOfFlow(const RegistrationInput& input, const RegistrationOptions& options) {
  const Grid& reference = input.reference->grid;
  if (!options.symmetric) return reference;
  const Grid& moving = input.templateImage->grid;
  Affine expected = input.initial.value_or(Affine{});
  if (!input.initial && options.affine != LinearAlignment::none)
    expected.t = moving.center() - reference.center();
  return halfwaySpaceOf(moving, reference, expected).grid;
}

VectorField<float> joined(const HalfDisplacements& halves, const HalfwaySpace& middle, const Grid& reference,
                          const Progress& progress) {
  // A point x of the reference came from the point m of the middle with m − u₂(m) = x; the template's point
  // is m − u₁(m).
  const InverseField toMiddle =
      invert(halves.ofReference, middle.grid, reference, middle.referenceFromMiddle, progress);
  const Affine middleFromWorld = middle.grid.worldFromVoxel.inverse();
  const Affine voxelFromMiddle = (middle.templateFromMiddle * reference.worldFromVoxel).inverse();
  const Vec3<double> spacing = reference.spacing(), middleSpacing = middle.grid.spacing();
  const Vec3<int> n = reference.size;
  VectorField<float> u(n);
  const Interior xs = interior(n.x), ys = interior(n.y), zs = interior(n.z);
  parallelFor(zs.last - zs.first + 1, 1, progress, [&](std::int64_t plane) {
    const int z = zs.first + int(plane);
    for (int y = ys.first; y <= ys.last; ++y)
      for (int x = xs.first; x <= xs.last; ++x) {
        const Vec3<double> voxel{double(x), double(y), double(z)};
        Vec3<double> d;
        for (int a = 0; a < 3; ++a) d[a] = toMiddle.displacement.at(reference.index(x, y, z), a);
        Vec3<double> m = middleFromWorld.point(reference.worldFromVoxel.point(voxel) + d);
        const Cell<double> cell = cellInField(halves.ofTemplate, cellAt(middle.grid.size, m.x, m.y, m.z));
        for (int a = 0; a < 3; ++a)
          m[a] -= interpolated(halves.ofTemplate.values[a].data(), cell) / middleSpacing[a];
        // The point that the pre-alignment alone would map to the template's point, as a voxel of the
        // reference.
        const Vec3<double> from = voxelFromMiddle.point(middle.grid.worldFromVoxel.point(m));
        Vec3<float> value;
        for (int a = 0; a < 3; ++a) value[a] = float(spacing[a] * (voxel[a] - from[a]));
        u.set(x, y, z, value);
      }
  });
  return u;
}

LevelInput<float> exchanged(const PlannedLevel& level) {
  LevelInput<float> result;
  result.shares = level.input.shares;
  result.landmarks = level.referenceLandmarks;
  result.weights = level.input.weights;
  for (std::size_t c = 0; c < level.input.channels.size(); ++c) {
    const LevelImages<float>& given = level.input.channels[c];
    LevelImages<float>& images = result.channels.emplace_back(
        LevelImages<float>{given.size, given.spacing, level.wholeReferences[c], given.moving, given.cubic});
    for (std::size_t i = 0; i < images.reference.size(); ++i)
      if (!(given.reference[i] == given.reference[i]))
        images.reference[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return result;
}

}  // namespace sulcus::registration
