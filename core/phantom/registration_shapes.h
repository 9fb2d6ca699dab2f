#pragma once

#include "core/math/vec3.h"

// The content of the computed registration phantoms, by formulas. Positions are in voxels from the center of
// a cube of `size` voxels, with which the shapes scale.
namespace sulcus::phantom {

inline constexpr double kBright = 1000;  ///< intensity of white matter and of the disk

/// The intensity of a head: scalp, skull, fluid, a folded cortex, white matter, ventricles and deep nuclei.
double headAt(const Vec3<double>& p, int size);
/// Whether p belongs to the brain inside the skull.
bool isInBrain(const Vec3<double>& p, int size);

/// The intensity of a disk, or of the C that remains after removing its middle and a slot on the right.
double diskAt(const Vec3<double>& p, int size, bool isC);

}  // namespace sulcus::phantom
