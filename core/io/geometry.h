#pragma once

#include "core/image/grid.h"

#include <string>
#include <vector>

namespace sulcus::io {

/// RAS+ from LPS+ and the other way: the first two world axes turned round.
Affine flipLps(const Affine& affine);

/// Largest |cosine| between two voxel axes: 0 for a rectangular lattice.
double shear(const Affine& worldFromVoxel);

/// Adds "Voxel axes are not perpendicular (sheared): …" where two are off by more than a cosine of 1e-3.
void noteShear(const Affine& worldFromVoxel, std::vector<std::string>& notes);

/// Voxels between a nanometre and a metre long, whose axes do not lie in a plane. mm.
bool usable(const Affine& worldFromVoxel);

/// Furthest that a corner of the grid moves from one affine to the other, mm.
double largestShift(const Vec3<int>& size, const Affine& a, const Affine& b);

/// "Voxel axes LAS: left-handed (determinant < 0); oblique by 12°"
std::string handednessNote(const Grid& grid);

}  // namespace sulcus::io
