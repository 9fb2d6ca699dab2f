#pragma once

#include "core/analysis/analysis.h"

#include <optional>

namespace sulcus {

/// How far values of two layers may lie apart and still agree.
struct AgreementLimits {
  /// Degrees for peaks, mm for displacements, surfaces and tracts, else in the unit of the values. None: 0.1
  /// degrees (kPeakTolerance) for peaks, else 0.
  std::optional<double> tolerance = std::nullopt;
  double relative = 0;     ///< of the larger value, added to the tolerance
  double shareNeeded = 1;  ///< of the values, which must lie within
};

/// Limits within which no eye sees a difference from `layer`: a thousandth of its range, or what is near to
/// nothing for its kind, in all but a thousandth of the values.
AgreementLimits seenLimits(const Layer& layer);

/// Whether two layers are of kinds that can be held against each other.
bool mayCompare(const Layer& a, const Layer& b);

/// Two layers held against each other, whatever made them: images value by value, labels voxel by voxel and
/// each by its overlap (Dice), directions by the angle between them, displacements by the length of their
/// difference, surfaces point by point, or by the distances from each to the other where their triangles
/// differ, tracts point by point where their lines have as
/// many, else by the lines in common and the distances of the others.
///
/// The difference is a − b for images of one volume; the largest one of all volumes for others; 1 for voxels
/// with other labels; degrees or mm for directions and displacements; the surface `a` with the distances of
/// its points, mm. An image on another grid is interpolated on that of `b`. Where nothing else can be
/// compared, on other grids or with other numbers of volumes, there are reasons and no rows.
///
/// @throws Error  for tables and curves
Comparison compareLayers(const Layer& a, const Layer& b, const AgreementLimits& limits = {},
                         const Progress& progress = {});

}  // namespace sulcus
