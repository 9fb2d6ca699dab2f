#pragma once

#include "core/base/note.h"
#include "core/fibers/fibers.h"
#include "core/fibers/models/shells.h"
#include "core/math/vec3.h"

#include <string>
#include <vector>

namespace sulcus::fibers {

/// The highest order that `auto` chooses.
inline constexpr int kUsualOrder = 8;
/// The lowest order that can show two fibers.
inline constexpr int kCrossingOrder = 4;

/// The choice of model, order and volumes, for which no voxel values are needed.
struct FiberChoice {
  FiberModel model;
  int order;
  std::vector<int> weighted;  ///< indices of the volumes to use
  std::string reason;         ///< a sentence without its period
  ScanVolumes scan = {};      ///< all volumes that may be used
  std::size_t shell = 0;      ///< index in scan.shells of the one that supports the highest order
  bool isWhole = false;       ///< whether only the volumes of all shells together can show crossing fibers
  /// For msmt: the tissues of the model besides white matter.
  bool hasGray = true, hasCsf = true;
  Notes notes = {};  ///< in sentences
};

/// Chooses by the size and the gradients of the input and by the options.
///
/// @throws Error  if they cannot be used or are incompatible
FiberChoice chooseFibers(const FiberInput& input, const FiberOptions& options);

/// The single image of an input that chooseFibers() accepts.
const Series<float>& imageOf(const FiberInput& input);

/// Directions of some volumes, world axes.
std::vector<Vec3<double>> directionsOf(const GradientTable& table, const std::vector<int>& volumes);

}  // namespace sulcus::fibers
