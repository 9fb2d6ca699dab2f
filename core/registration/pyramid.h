#pragma once

#include "core/base/progress.h"
#include "core/image/grid.h"
#include "core/registration/vector_field.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// The grid of the next coarser level: axes are halved whose voxels stay within √2 of the level's finest,
/// down to kSmallestAxis voxels. First and last voxel of an axis stay where they are, so u = 0 at the same
/// place in every level. Equal to `fine` when nothing can be halved.
inline constexpr int kSmallestAxis = 8;
Grid coarser(const Grid& fine);

/// An image on `coarse`, smoothed before as its voxels are larger, of the voxels that count; where none of
/// them is near, of all.
std::vector<float> coarsened(const std::vector<float>& image, const std::vector<std::uint8_t>& counts,
                             const Grid& fine, const Grid& coarse, const Progress& progress);

/// A mask on `coarse`: that of the nearest voxel.
std::vector<std::uint8_t> coarsened(const std::vector<std::uint8_t>& mask, const Grid& fine,
                                    const Grid& coarse);

/// A displacement of the coarser level on the finer one, trilinear; mm stay mm.
template <class Real>
VectorField<Real> refined(const VectorField<Real>& coarse, const Vec3<int>& fine, const Progress& progress);

}  // namespace sulcus
