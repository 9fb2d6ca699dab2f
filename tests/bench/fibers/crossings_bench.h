#pragma once

#include "tests/bench/report.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// How many of two crossing fibers are found, over noise, angle, weighting and order.
namespace sulcus::bench {

struct CrossingRow {
  double b = 0, snr = 0, smallest = 0, largest = 0;  ///< s/mm², S0 over the noise's s.d., angles in degrees
  double share = 0;                                  ///< of the larger fiber at most
  std::string setting;                               ///< options other than the defaults
  std::int64_t order = 0;                            ///< the order used
  double right = 0, falsePeaks = 0, error = 0;       ///< see tests/support/crossing_score.h
  double singleRight = 0;                            ///< `right` for voxels with one fiber
};

struct CrossingMeasurements : Machine {
  std::vector<CrossingRow> rows;
};

struct CrossingBenchOptions {
  std::uint64_t seed = 7;
  int voxels = 3000;  ///< with two fibers; in addition a fifth as many with one
  std::string only;   ///< see isWanted()
};

CrossingMeasurements runCrossingBench(const CrossingBenchOptions& options,
                                      const std::function<void(const std::string&)>& tell);

Report reportOf(const CrossingMeasurements& measured);

}  // namespace sulcus::bench
