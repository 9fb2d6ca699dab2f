#pragma once

#include "core/base/progress.h"
#include "core/registration/vector_field.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// Where h(x) = x − u(x) folds between voxels: J by one-sided differences along the edges that meet in each
/// corner of each cell. J by central differences is a mean of eight of them: above 0 where none folds.
struct Folds {
  double smallestJ = 1;
  std::vector<std::int64_t> cells;  ///< with a corner ≤ 0: index of the lowest voxel, ascending
};
Folds foldsOf(const VectorField<float>& u, const Vec3<double>& spacing, const Progress& progress);

/// Smooths u at the voxels of cells that fold until none does.
///
/// @param folds  of u on entry; left is what could not be unfolded
/// @return       the largest change of u, mm
double unfold(VectorField<float>& u, const Vec3<double>& spacing, Folds& folds, const Progress& progress);

}  // namespace sulcus
