#pragma once

#include "core/activation/sampler/gibbs.h"
#include "tests/bench/report.h"

#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace sulcus::bench {

/// One sampler on one problem. Seconds are 0 if they were not measured.
struct ActivationRow {
  std::string processor;  ///< "CPU, 1 thread", "CPU, all threads", "GPU"
  int regressors = 5, scans = 45, draws = 3000, chains = 1, groups = 1;
  bool correlated = false;  ///< autocorrelated noise: each voxel has its own precision matrix
  std::int64_t voxels = 0;
  double kernel = 0;     ///< all iterations in one launch, by device events
  double resident = 0;   ///< wall-clock time, problem and moments in device memory
  double transfers = 0;  ///< wall-clock time, from host memory to host memory
  /// Largest distance of a posterior mean from that of the CPU with the same random numbers, in Monte Carlo
  /// errors; −1 if the CPU was not run.
  double distance = -1;
  double rhat = 0;  ///< split-R̂ that 99 % of voxels and regressors are below
  double hostBytes = 0, deviceBytes = 0;

  auto series() const { return std::tie(processor, regressors, scans, draws, chains, groups, correlated); }
  double problemSize() const { return double(voxels); }
  double seconds() const { return kernel > 0 ? kernel : transfers; }
};

struct ActivationMeasurements : Machine {
  std::vector<ActivationRow> rows;
};

struct ActivationBenchOptions {
  std::vector<std::int64_t> sizes{100, 1000, 1525, 10'000, 100'000, 200'000, 1'000'000};
  std::vector<int> scans{45, 100, 200, 400};  ///< at `others` voxels
  std::int64_t others = 10'000;               ///< voxels if something other than the size varies
  std::int64_t remembering = 200'000;         ///< voxels with autocorrelated noise, in addition to `others`
  int draws = 3000;
  double longest = 5;  ///< seconds: sizes that would take longer on a processor are skipped
  std::string only;    ///< see isWanted()
};
ActivationBenchOptions quickActivationBench();

/// Runs everything; `tell` receives a line for each measurement.
ActivationMeasurements runActivationBench(const ActivationBenchOptions& options,
                                          const std::function<void(const std::string&)>& tell);

Report reportOf(const ActivationMeasurements& measured);

}  // namespace sulcus::bench
