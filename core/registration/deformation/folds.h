#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The cells between voxels in which h(x) = x − u(x) folds. At each corner of a cell, J is computed by
/// one-sided differences along the three edges that meet there. J by central differences at a voxel is the
/// mean of the eight values at this voxel, and is therefore above 0 where no cell folds.
struct Folds {
  double smallestJ = 1;
  std::vector<std::int64_t> cells;  ///< index of the lowest voxel of each cell with J ≤ 0, ascending
};

/// The folds of a displacement u in mm along the voxel axes; `spacing` is in mm.
Folds foldsOf(const VectorField<float>& u, const Vec3<double>& spacing, const Progress& progress);

/// Smooths u at the voxels of folding cells until no cell folds.
///
/// @param folds  on entry the folds of u; receives those that could not be removed
/// @return       the largest change of u, mm
double unfold(VectorField<float>& u, const Vec3<double>& spacing, Folds& folds, const Progress& progress);

}  // namespace sulcus::registration
