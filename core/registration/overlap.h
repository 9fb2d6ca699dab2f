#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// How well one label of two volumes lies on itself.
struct LabelOverlap {
  std::int32_t label = 0;
  std::int64_t inFirst = 0, inSecond = 0, inBoth = 0;  ///< voxels

  /// Dice's coefficient, 2 |A ∩ B| / (|A| + |B|): 0 apart, 1 the same.
  double dice() const { return 2 * double(inBoth) / double(inFirst + inSecond); }
};

/// Every label but 0 that occurs in either volume, ascending.
///
/// @throws Error  when the volumes do not lie on one grid, or neither has a label
std::vector<LabelOverlap> labelOverlap(const Volume<std::int32_t>& first, const Volume<std::int32_t>& second);

/// Mean over the labels, each counting the same; NaN when there are none.
double meanDice(const std::vector<LabelOverlap>& labels);

}  // namespace sulcus
