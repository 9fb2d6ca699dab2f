#pragma once

#include "core/base/file_stamp.h"
#include "core/math/vec3.h"

#include <string>
#include <vector>

namespace sulcus {

/// One diffusion weighting: its b-value and the direction of the gradient.
struct Gradient {
  double b = 0;                 ///< s/mm²
  Vec3<double> directionWorld;  ///< unit, RAS+ scanner axes; (0,0,0) where b is 0
};

/// The weightings of a diffusion series, one per volume in order. Empty: not a diffusion series.
struct GradientTable {
  std::vector<Gradient> rows;
  std::string source;  ///< in words: which files, which rule was applied; without rows: why, or ""
  std::vector<std::string>
      files;  ///< the FSL pair (b-values first) or the table; none when not from such files

  std::vector<FileStamp> stamps;  ///< of these when they were read

  bool empty() const { return rows.empty(); }
};

/// b below this counts as b = 0 (scanners write 5 or 10 for it), s/mm².
inline constexpr double kB0Threshold = 50;
/// Baselines of a scan whose lowest b-values are not 0 (55 to 65 with some sequences) lie below this.
inline constexpr double kLargestBaseline = 100;

/// b below this counts as b = 0 in this scan: kB0Threshold, or kLargestBaseline where the lowest b-values,
/// with gaps of at most 20 s/mm² between them, reach beyond the first and all others are four times as large.
double b0Threshold(const GradientTable& table);

/// Indices of the volumes with and without diffusion weighting, by b0Threshold().
std::vector<int> weightedVolumes(const GradientTable& table);
std::vector<int> unweightedVolumes(const GradientTable& table);

}  // namespace sulcus
