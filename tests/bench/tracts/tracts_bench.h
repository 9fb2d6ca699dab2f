#pragma once

#include "core/base/provenance.h"
#include "tests/bench/report.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Lines per second: two fields of circles that cross, order 8, of the size of a scan of 1.25 mm.
namespace sulcus::bench {

struct TractRow {
  std::string processor, method;
  std::int64_t seeds = 0, lines = 0, points = 0;
  double seconds = 0;  ///< of the lines alone, with their transfer to host memory
  double whole = 0;    ///< including directions and joining
  std::vector<StageTime> stages;
  bool same = true;  ///< the same points as on the first processor
};

/// Lines that grow from a sphere while it is dragged; medians over the steps.
struct GrowthRow {
  std::string processor, method;
  double seconds = 0;                 ///< of a step, which is allowed 0.04
  std::int64_t seeds = 0, lines = 0;  ///< of a step
};

struct TractMeasurements : Machine {
  std::vector<TractRow> rows;
  std::vector<GrowthRow> growth;
};

struct TractBenchOptions {
  int size = 145;                 ///< voxels of 1.25 mm along each axis
  std::int64_t seeds = 1000000;   ///< on a GPU
  std::int64_t cpuSeeds = 20000;  ///< on CPUs, which need not process all
  std::string only;               ///< see isWanted()
  std::vector<int> shares{0, 1};
};
TractBenchOptions quickTractBench();

TractMeasurements runTractBench(const TractBenchOptions& options,
                                const std::function<void(const std::string&)>& tell);
Report reportOf(const TractMeasurements& measured);

}  // namespace sulcus::bench
