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
  std::string source;  ///< which files and which rule were used, in words; without rows: why, or ""
  std::vector<std::string>
      files;  ///< the FSL pair (b-values first) or the table; empty if not read from such files

  std::vector<FileStamp> stamps;  ///< of the files when they were read

  bool empty() const { return rows.empty(); }
};

/// Below this, b counts as 0 (scanners write 5 or 10 for it), s/mm².
inline constexpr double kB0Threshold = 50;
/// Upper limit for the baselines of scans whose lowest b-values are not 0 (55 to 65 with some sequences).
inline constexpr double kLargestBaseline = 100;

/// Below this, b counts as 0 in this scan: kB0Threshold, or kLargestBaseline if the lowest b-values, which
/// are at most 20 s/mm² apart, reach beyond the first limit and all others are at least four times as large.
double b0Threshold(const GradientTable& table);

/// Indices of the volumes with and without diffusion weighting, by b0Threshold().
std::vector<int> weightedVolumes(const GradientTable& table);
std::vector<int> unweightedVolumes(const GradientTable& table);

}  // namespace sulcus
