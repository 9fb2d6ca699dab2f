#pragma once

#include "core/base/progress.h"
#include "core/image/grid.h"
#include "core/registration/deformation/vector_field.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// No axis is halved to fewer voxels than this.
inline constexpr int kSmallestAxis = 8;

/// The smallest spacing of the axes with more than one voxel, mm.
double finestSpacing(const Grid& grid);

/// The grid of the next coarser level. It halves the number of voxels along each axis whose spacing is at
/// most √2 times the finest one. The first and the last voxel of an axis keep their positions, so that u = 0
/// at the same positions in every level. The grid equals `fine` if no axis can be halved.
Grid coarser(const Grid& fine);

/// An image on the coarser grid, after a Gaussian of half the coarser spacing. Only voxels in the mask
/// contribute; where none is near, the image is not smoothed.
///
/// @param image, mask  one value per voxel of `fine`, x fastest; an empty mask holds all voxels
/// @return             one value per voxel of `coarse`
using Coarsen = std::vector<float>(const std::vector<float>& image, const std::vector<std::uint8_t>& mask,
                                   const Grid& fine, const Grid& coarse, const Progress& progress);

/// Coarsens on the CPU.
Coarsen coarsened;

/// The parameters of the coarsening.
struct Coarsening {
  Vec3<double> sigma;  ///< of the Gaussian, voxels of the finer grid
  Vec3<double> step;   ///< from one voxel of the coarser grid to the next, voxels of the finer one
};
Coarsening coarseningOf(const Vec3<int>& fine, const Vec3<int>& coarse);

/// A mask on the coarser grid, by the nearest voxel.
///
/// @param mask  one value per voxel of `fine`, x fastest
/// @return      one value per voxel of `coarse`
std::vector<std::uint8_t> coarsened(const std::vector<std::uint8_t>& mask, const Grid& fine,
                                    const Grid& coarse);

/// A displacement of the coarser level on a grid of `fine` voxels, interpolated trilinearly. Both are in mm.
VectorField<float> refined(const VectorField<float>& coarse, const Vec3<int>& fine, const Progress& progress);

/// The step from one voxel of the finer grid to the next, in voxels of the coarser one.
Vec3<double> refiningStep(const Vec3<int>& fine, const Vec3<int>& coarse);

}  // namespace sulcus::registration
