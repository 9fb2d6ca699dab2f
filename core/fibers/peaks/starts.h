#pragma once

#include "core/fibers/fibers.h"
#include "core/math/vec3.h"

#include <vector>

namespace sulcus::fibers {

/// `count` unit directions spread evenly over the half sphere z ≥ 0, with opposite directions considered the
/// same: electrostatic charges that repel each other and each other's opposites. Every call returns the same
/// directions.
std::vector<Vec3<double>> evenDirections(int count);

/// `count` unit directions whose components are uniform in [−1, 1] before they are normalized (the choice of
/// Kolda & Mayo): Philox with the key `seed` and the index as counter, so that direction i does not depend on
/// `count`.
std::vector<Vec3<double>> randomDirections(int count, int seed);

/// The starting directions of the search for peaks, the same for every voxel and on every backend.
std::vector<Vec3<float>> startingDirections(const FiberOptions& options);

}  // namespace sulcus::fibers
