#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"
#include "core/image/volume.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sulcus {

/// How many lines pass through each voxel of a grid, which may be finer than the scan: a line counts once in
/// each voxel that one of its segments crosses, exactly (Amanatides & Woo, Eurographics 1987).
class DensityCounter {
 public:
  explicit DensityCounter(const Grid& grid) : grid_(grid), sums_(std::size_t(grid.voxels())) {}
  /// @param weights  of the lines, by which they count; none: each counts as 1
  void add(const Tracts& tracts, std::span<const float> weights = {}, const Progress& progress = {});

  struct Addition {
    DensityCounter* to;
    std::span<const float> weights;  ///< as those of add()
  };
  /// Adds lines to several counters, all of one grid, in one pass: to find the voxels is most of the work.
  static void addAll(const Tracts& tracts, std::span<const Addition> additions,
                     const Progress& progress = {});
  Volume<float> map() const;

 private:
  Grid grid_;
  std::vector<std::int64_t> sums_;  ///< in small units, so that they do not depend on the order
};

/// The densities of two files of lines on one grid: the scan of the first where both are of it, else voxels
/// of 2 mm around both, or of more where these would be too many.
///
/// @param scanA, scanB  grids of their scans; null where they are not known
std::array<Volume<float>, 2> densitiesOf(const Tracts& a, const Grid* scanA, const Tracts& b,
                                         const Grid* scanB, const Progress& progress = {});

}  // namespace sulcus
