#pragma once

#include "core/fibers/fibers.h"
#include "core/math/vec3.h"

#include <string>
#include <vector>

namespace sulcus::fibers {

/// The highest order that `auto` takes because of the directions alone.
inline constexpr int kUsualOrder = 8;

/// The choice of model, order and volumes, for which no voxel values are needed.
struct FiberChoice {
  FiberModel model;
  int order;
  std::vector<int> weighted;    ///< indices of the volumes to use
  std::string reason;           ///< one sentence without its full stop
  int orderAtLowNoise = order;  ///< the order where the noise of the scan is low enough for it
};

/// Chooses by the input's size and gradients and the options.
///
/// @throws Error  where they cannot be used or do not go together
FiberChoice chooseFibers(const FiberInput& input, const FiberOptions& options);

/// The one image of an input that chooseFibers() takes.
const Series<float>& imageOf(const FiberInput& input);

/// Directions of some volumes, world axes.
std::vector<Vec3<double>> directionsOf(const GradientTable& table, const std::vector<int>& volumes);

}  // namespace sulcus::fibers
