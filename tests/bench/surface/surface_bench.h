#pragma once

#include "core/base/provenance.h"
#include "tests/bench/report.h"
#include "tests/bench/surface/surface_data.h"

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace sulcus::bench {

/// An exact search of a band. Seconds are 0 if they were not measured.
struct SurfaceRow {
  std::string processor;  ///< "CPU, 1 thread", "CPU, all threads", "GPU", see nameOfShares()
  SurfaceData data = SurfaceData::mask;
  std::int64_t elements = 0;
  int patch = 5, count = 96;
  double kernel = 0;    ///< of the search alone, by device events
  double resident = 0;  ///< with sorting and layout of the patches, in device memory, wall-clock time
  double whole = 0;     ///< from and to host memory
  double recall = 0;    ///< share of the neighbors by exhaustive search in double, in `checked` rows
  int checked = 0;
  double limitShare = 0;  ///< time for every pair at the device's tf32 rate, relative to `kernel`
  double hostBytes = 0, deviceBytes = 0;

  auto series() const { return std::tie(processor, data, patch); }
  double problemSize() const { return double(elements); }
  double seconds() const { return resident > 0 ? resident : whole; }
};

/// A whole denoising with default settings, from and to host memory.
struct SurfaceRun {
  std::string processor;
  SurfaceData data = SurfaceData::mask;
  std::int64_t elements = 0;
  double whole = 0;
  std::vector<StageTime> stages;
  double farthest = 0;  ///< largest difference of φ from the first processor, voxels
};

struct SurfaceMeasurements : Machine {
  std::vector<SurfaceRow> rows;
  std::vector<SurfaceRun> runs;
};

struct SurfaceBenchOptions {
  std::vector<std::int64_t> sizes{5000, 17500, 50000, 175000, 500000, 1000000};
  std::vector<std::int64_t> patches{17500, 175000};  ///< sizes at which other patches are measured
  std::vector<std::int64_t> runs{17500, 175000};     ///< of whole denoisings
  double longest = 30;            ///< seconds: sizes that would take longer on a processor are skipped
  std::string only;               ///< see isWanted()
  std::vector<int> shares{0, 1};  ///< GPUs that share a run, if there are enough
};
SurfaceBenchOptions quickSurfaceBench();

/// Runs everything; `tell` receives a line for each measurement.
SurfaceMeasurements runSurfaceBench(const SurfaceBenchOptions& options,
                                    const std::function<void(const std::string&)>& tell);

Report reportOf(const SurfaceMeasurements& measured);
/// Writes PREFIX.csv and PREFIX.svg: seconds of a search against elements, for every processor.
void writeFigure(const SurfaceMeasurements& measured, const std::string& prefix);

}  // namespace sulcus::bench
