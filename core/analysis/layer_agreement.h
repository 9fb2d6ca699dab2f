#pragma once

#include "core/analysis/analysis.h"

#include <optional>

namespace sulcus {

/// How far values of two layers may differ and still agree.
struct AgreementLimits {
  /// Degrees for peaks, mm for displacements, surfaces and tracts, else in the unit of the values. nullopt:
  /// 0.1 degrees (kPeakTolerance) for peaks, else 0.
  std::optional<double> tolerance = std::nullopt;
  double relative = 0;     ///< relative to the larger value, added to the tolerance
  double shareNeeded = 1;  ///< share of the values that must lie within
};

/// Limits below which no difference from `layer` is visible: a thousandth of its range, or a negligible
/// amount for its kind, in all but a thousandth of the values.
AgreementLimits seenLimits(const Layer& layer);

/// Whether two layers are of kinds that can be compared.
bool mayCompare(const Layer& a, const Layer& b);

/// Compares two layers, whatever made them: images value by value, labels voxel by voxel and each by its
/// overlap (Dice), directions by the angle between them, displacements by the length of their difference,
/// surfaces point by point, or if their triangles differ by the distances from each to the other, tracts
/// point by point if their lines have equal numbers of points, else by their common lines and the distances
/// of the others.
///
/// The difference is a − b for images of one volume; the largest difference over all volumes for other
/// images; 1 for voxels with different labels; degrees or mm for directions and displacements; the surface
/// `a` with the distances of its points, mm. An image on another grid is interpolated to that of `b`. Other
/// contents on different grids or with different numbers of volumes cannot be compared: there are reasons and
/// no rows.
///
/// @throws Error  for tables and curves
Comparison compareLayers(const Layer& a, const Layer& b, const AgreementLimits& limits = {},
                         const Progress& progress = {});

}  // namespace sulcus
