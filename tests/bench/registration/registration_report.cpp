#include "tests/bench/format.h"
#include "tests/bench/registration/registration_bench.h"
#include "tests/bench/svg_chart.h"

#include <fstream>

namespace sulcus::bench {
namespace {

constexpr Shown kCubed{"%.0f³"};

Table rowTable(const std::vector<RegistrationRow>& rows) {
  using Row = RegistrationRow;
  return tableOf<Row>(rows, {{"processor", "on", &Row::processor},
                             {"similarity", "similarity", &Row::similarity},
                             {"size", "voxels", &Row::size, kCubed},
                             {"kernelSeconds", "kernels", &Row::kernel, kMilliseconds},
                             {"iterationSeconds", "iteration", &Row::iteration, kMilliseconds},
                             {"voxelsPerSecond",
                              "Mvoxel/s",
                              [](const Row& row) { return row.problemSize() / row.seconds(); },
                              {"%.4g", 1e-6}},
                             {"copyShare", "copy", &Row::copyShare, kPercent},
                             growthColumn(rows),
                             {"hostBytes", "host GB", &Row::hostBytes, kHostGigabytes},
                             {"deviceBytes", "device GB", &Row::deviceBytes, kDeviceGigabytes}});
}

Table runTable(const std::vector<RegistrationRun>& runs) {
  using Run = RegistrationRun;
  return tableOf<Run>(runs, {{"processor", "on", &Run::processor},
                             {"size", "voxels", &Run::size, kCubed},
                             {"iterations", "iterations", &Run::iterations},
                             {"descentSeconds", "descent", &Run::descent},
                             {"wholeSeconds", "whole", &Run::whole},
                             {"wholeIterations", "iterations", &Run::wholeIterations},
                             {"meanError", "error", &Run::meanError, kThreeDigits},
                             {"highError", "95 %", &Run::highError, kThreeDigits},
                             {"correlation", "correlation", &Run::correlation, kFourDigits},
                             {"smallestJ", "min J", &Run::smallestJ, kThreeDigits},
                             {"stages", "stages", &Run::stages}});
}

}  // namespace

Report reportOf(const RegistrationMeasurements& measured) {
  const std::string aboutRows =
      "Times in ms. kernels: of an iteration by device events, nothing read in between; iteration: by the "
      "clock, as a descent does it. Mvoxel/s and copy are of the kernels' time (a processor's iteration): "
      "copy, of squared differences, is the share of the device's copy bandwidth (" +
      format("%.2f TB/s) that %.0f bytes a voxel take. ", measured.copyBandwidth * 1e-12, kBytesPerVoxel) +
      "Growth: exponent of time in voxels since the next smaller size.";
  const std::string aboutRuns =
      "A brain-like phantom, from and to host memory, s. descent: on the full images by squared differences; "
      "whole: a registration "
      "with default settings. Error: distance from the known warp in the head, voxels.";
  return {measured,
          "Registration",
          {{"rows", aboutRows, rowTable(measured.rows)}, {"runs", aboutRuns, runTable(measured.runs)}},
          {{"copyBandwidth", measured.copyBandwidth}}};
}

void writeFigure(const RegistrationMeasurements& measured, const std::string& prefix) {
  std::ofstream(prefix + ".csv") << csv(rowTable(measured.rows));
  std::map<std::string, ChartLine> lines;
  for (const auto& row : measured.rows)
    lines[row.processor + ", " + row.similarity].push_back({row.problemSize(), row.iteration * 1e3});
  writeLogChart(prefix + ".svg", lines, "voxels", "ms an iteration");
}

}  // namespace sulcus::bench
