#pragma once

#include "core/base/provenance.h"
#include "core/fibers/fibers.h"
#include "tests/bench/report.h"

#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace sulcus::bench {

/// One implementation at one size. Seconds are 0 if they were not measured.
struct FiberRow {
  std::string processor;  ///< "CPU, 1 thread", "CPU, N threads", "GPU"
  std::string shift;      ///< "adaptive", "0"
  std::string data;       ///< "fibers": orientation distributions and lobes; "adc": as in the paper
  int order = 4, starts = 128;
  std::int64_t voxels = 0;
  double kernel = 0, resident = 0, transfers = 0, endToEnd = 0;  ///< seconds
  double iterations = 0;                                         ///< mean over voxels and starts
  double missed = 0;                                             ///< share of the reference's maxima
  double gflops = 0;                                             ///< as the paper counts them
  double fractionOfLimit = 0;  ///< of the device's lane instructions; GPU only
  double hostBytes = 0, deviceBytes = 0;

  auto series() const { return std::tie(processor, shift, order, starts); }
  double problemSize() const { return double(voxels); }
  double seconds() const { return kernel; }
};

/// The whole analysis of a scan, by stages.
struct FiberRun {
  std::string processor, model;
  int order = 8;
  std::int64_t voxels = 0;
  double seconds = 0;
  std::vector<StageTime> stages;
};

struct FiberMeasurements : Machine {
  std::vector<FiberRow> rows;
  std::vector<FiberRun> runs;
};

struct FiberBenchOptions {
  std::vector<std::int64_t> sizes{1000, 10'000, 100'000, 1'000'000};
  std::vector<int> orders{4, 6};
  std::int64_t sample = 512;  ///< voxels whose maxima are compared with the reference
  double longest = 0.5;       ///< seconds: a size that would take longer on this processor is skipped
  int times = 5;              ///< repetitions of what runs on the CPU, at most
  std::string only;           ///< see isWanted()
  std::int64_t scanVoxels = 100'000;
  /// For a scan of the size of an HCP session, on the GPU and on the CPU.
  std::int64_t tissueVoxels = 901'474, tissueVoxelsCpu = 20'000;
};
FiberBenchOptions quickFiberBench();

/// Flop of one evaluation of A x^(m−1) as the paper counts them: 140 at order 4. At other orders each of the
/// terms (index class, distinct index) counts m + 1, which at order 4 would give 150 where the paper prints
/// 140.
double paperFlop(int order);

/// Runs everything; `tell` receives a line for each measurement.
FiberMeasurements runFiberBench(const FiberBenchOptions& options,
                                const std::function<void(const std::string&)>& tell);

Report reportOf(const FiberMeasurements& measured);
/// Writes Table 6.1 and Figure 6.2 of the paper: PREFIX-table.csv with the largest sizes; PREFIX-curves.csv
/// and PREFIX-curves.svg with all.
void writeFigure(const FiberMeasurements& measured, const std::string& prefix);

}  // namespace sulcus::bench
