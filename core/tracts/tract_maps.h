#pragma once

#include "core/base/progress.h"
#include "core/image/labels/label_table.h"
#include "core/image/tracts.h"
#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace sulcus::tracts {

/// How many lines pass through each voxel of a grid, which may be finer than the scan: a line counts once in
/// each voxel that one of its segments crosses, exactly (Amanatides & Woo, Eurographics 1987).
Volume<float> densityMap(const Tracts& tracts, const Grid& grid, const Progress& progress = {});

/// How many ends of lines each voxel holds.
Volume<float> endMap(const Tracts& tracts, const Grid& grid, const Progress& progress = {});

/// Which regions lines connect.
struct Connectome {
  std::vector<Label> labels;       ///< of the image but 0, ascending
  std::vector<double> count;       ///< labels × labels, symmetric: lines between two
  std::vector<double> meanLength;  ///< of these, mm; 0 where there is none
  /// Of each line the places of its two labels among `labels`; −1: an end with none.
  std::vector<std::pair<std::int32_t, std::int32_t>> pairOf;
  std::int64_t unassigned = 0;  ///< lines with an end that belongs to no label

  std::size_t index(std::size_t a, std::size_t b) const { return a * labels.size() + b; }
};

/// Each end belongs to the label whose voxel is nearest to it, if its center is within `radius` mm or the end
/// lies in it (radial search; Smith et al., NeuroImage 119 (2015) 338).
Connectome connectomeOf(const Tracts& tracts, const Volume<Label>& labels, double radius,
                        const Progress& progress = {});

}  // namespace sulcus::tracts
