#pragma once

#include "core/base/provenance.h"
#include "tests/bench/report.h"

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace sulcus::bench {

/// Bytes that the GPU's four kernels read and write for a voxel in an iteration with squared differences if
/// each number is fetched once: u, v → u' 36; u', texel, R → force 44; → smoothed in planes 24; that, v → v
/// 36.
inline constexpr double kBytesPerVoxel = 140;

/// An iteration of the descent on one level of size³ voxels. Seconds are 0 if they were not measured.
struct RegistrationRow {
  std::string processor;   ///< "CPU, 1 thread", "CPU, all threads", "GPU", see nameOfShares()
  std::string similarity;  ///< "l2", "lcc", "mi"
  std::int64_t size = 0;   ///< voxels along each axis
  double kernel = 0;       ///< by device events, without reading results
  double iteration = 0;    ///< wall-clock time, as in descend()
  double copyShare = 0;    ///< kBytesPerVoxel in the kernels' time, of the device's copy bandwidth
  double hostBytes = 0, deviceBytes = 0;

  auto series() const { return std::tie(processor, similarity); }
  double problemSize() const { return double(size) * double(size) * double(size); }  ///< voxels
  double seconds() const { return kernel > 0 ? kernel : iteration; }
};

/// Runs on a brain-like phantom of size³ voxels, from host memory to host memory.
struct RegistrationRun {
  std::string processor;
  std::int64_t size = 0;
  double descent = 0;  ///< seconds of `iterations` on the full images
  int iterations = 0;
  double whole = 0;  ///< seconds of a registration with default settings
  std::vector<StageTime> stages;
  int wholeIterations = 0;
  double meanError = 0, highError = 0;  ///< distance from the known warp in the head: mean, 95 %; voxels
  double correlation = 0, smallestJ = 0;
};

struct RegistrationMeasurements : Machine {
  double copyBandwidth = 0;  ///< of the device, read and written, bytes/s
  std::vector<RegistrationRow> rows;
  std::vector<RegistrationRun> runs;
};

struct RegistrationBenchOptions {
  std::vector<std::int64_t> sizes{64, 96, 128, 160, 192, 240, 320, 512};
  std::vector<std::int64_t> runs{64, 128, 240};
  int iterations = 300;           ///< of the descent on the full images
  double longest = 10;            ///< seconds: sizes that would take longer on a processor are skipped
  std::string only;               ///< see isWanted()
  std::vector<int> shares{0, 1};  ///< GPUs that share a run, if there are enough
};
RegistrationBenchOptions quickRegistrationBench();

/// Runs everything; `tell` receives a line for each measurement.
RegistrationMeasurements runRegistrationBench(const RegistrationBenchOptions& options,
                                              const std::function<void(const std::string&)>& tell);

Report reportOf(const RegistrationMeasurements& measured);
/// Writes PREFIX.csv and PREFIX.svg: seconds of an iteration against voxels, for every processor.
void writeFigure(const RegistrationMeasurements& measured, const std::string& prefix);

}  // namespace sulcus::bench
