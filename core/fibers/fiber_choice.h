#pragma once

#include "core/base/note.h"
#include "core/fibers/fibers.h"
#include "core/fibers/models/shells.h"
#include "core/math/vec3.h"

#include <string>
#include <vector>

namespace sulcus::fibers {

/// The highest order that `auto` takes of what the directions determine.
inline constexpr int kUsualOrder = 8;
/// The lowest order that can show two fibers.
inline constexpr int kCrossingOrder = 4;

/// The choice of model, order and volumes, for which no voxel values are needed.
struct FiberChoice {
  FiberModel model;
  int order;
  std::vector<int> weighted;  ///< indices of the volumes to use
  std::string reason;         ///< one sentence without its full stop
  ScanVolumes scan = {};      ///< all volumes that may be used
  std::size_t shell = 0;      ///< of scan.shells: the one that carries the highest order
  bool isWhole = false;       ///< whether only the volumes of all shells together show fibers that cross
  /// For msmt: which tissues it knows besides white matter.
  bool hasGray = true, hasCsf = true;
  Notes notes = {};  ///< in sentences
};

/// Of shells, the one whose directions determine the highest order up to kUsualOrder, of several the one with
/// the largest b. There must be a shell.
std::size_t carryingShell(const GradientTable& table, std::span<const Shell> shells);

/// Chooses by the input's size and gradients and the options.
///
/// @throws Error  where they cannot be used or do not go together
FiberChoice chooseFibers(const FiberInput& input, const FiberOptions& options);

/// The one image of an input that chooseFibers() takes.
const Series<float>& imageOf(const FiberInput& input);

/// Directions of some volumes, world axes.
std::vector<Vec3<double>> directionsOf(const GradientTable& table, const std::vector<int>& volumes);

}  // namespace sulcus::fibers
