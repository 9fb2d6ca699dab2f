#pragma once

#include "core/fibers/fibers.h"
#include "core/math/vec3.h"

#include <vector>

namespace sulcus {

/// `count` unit directions spread evenly over the half sphere z ≥ 0 (a direction and its opposite are one):
/// charges that repel each other and each other's opposites. The same for every call.
std::vector<Vec3<double>> evenDirections(int count);

/// Directions whose components are uniform in [−1, 1] before they are normalized (the choice of Kolda &
/// Mayo): Philox with key `seed` and counter = index, so that direction i does not depend on how many there
/// are.
std::vector<Vec3<double>> randomDirections(int count, int seed);

/// The starting directions of the search for peaks, the same for every voxel and on every backend.
std::vector<Vec3<float>> startingDirections(const FiberOptions& options);

}  // namespace sulcus
