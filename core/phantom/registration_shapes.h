#pragma once

#include "core/math/vec3.h"

// What the computed registration phantoms show, by formulas. Positions are in voxels from the middle of a
// cube of `size` voxels, with which the shapes grow.
namespace sulcus::phantom {

inline constexpr double kBright = 1000;  ///< intensity of white matter and of the disk

/// The intensity of a head: scalp, skull, fluid, a folded cortex, white matter, ventricles and deep nuclei.
double headAt(const Vec3<double>& p, int size);
/// Whether p lies belongs to the brain inside the skull.
bool isInBrain(const Vec3<double>& p, int size);

/// The intensity of a disk, or of the C that remains of it without its middle and a slot to the right.
double diskAt(const Vec3<double>& p, int size, bool isC);

}  // namespace sulcus::phantom
