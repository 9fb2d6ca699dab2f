#pragma once

#include "core/base/note.h"
#include "core/image/grid.h"

#include <string>
#include <vector>

namespace sulcus::io {

/// Reverses the first two world axes of a map, which turns LPS+ into RAS+ and RAS+ into LPS+.
Affine flipLps(const Affine& affine);

/// The largest |cosine| between two voxel axes, 0 for a rectangular grid.
double shear(const Affine& worldFromVoxel);

/// Adds the note "Voxel axes are not perpendicular (sheared): …" when the shear exceeds 1e-3.
void noteShear(const Affine& worldFromVoxel, Notes& notes);

/// Whether the edges of voxels are between a nanometer and a meter long and their axes are not coplanar. The
/// map is in mm.
bool usable(const Affine& worldFromVoxel);

/// A note such as "Voxel axes LAS: left-handed (determinant < 0); oblique by 12°".
std::string handednessNote(const Grid& grid);

}  // namespace sulcus::io
