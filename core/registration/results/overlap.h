#pragma once

#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The overlap of one label in two volumes.
struct LabelOverlap {
  Label label = 0;
  std::int64_t inFirst = 0, inSecond = 0, inBoth = 0;  ///< voxels

  /// Dice's coefficient 2 |A ∩ B| / (|A| + |B|): 0 if the two do not overlap, 1 if they are equal.
  double dice() const { return 2 * double(inBoth) / double(inFirst + inSecond); }
};

/// The overlap of every label but 0 that occurs in either volume, in ascending order of the labels.
///
/// @throws Error  if the volumes are on different grids, or neither has a label
std::vector<LabelOverlap> labelOverlap(const Volume<Label>& first, const Volume<Label>& second);

/// The mean of Dice's coefficient, with equal weight for each label; NaN if there are none.
double meanDice(const std::vector<LabelOverlap>& labels);

}  // namespace sulcus::registration
