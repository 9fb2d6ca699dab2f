#include "tests/bench/surface/surface_bench.h"
#include "tests/bench/svg_chart.h"

#include <fstream>

namespace sulcus::bench {
namespace {

Table rowTable(const std::vector<SurfaceRow>& rows) {
  using Row = SurfaceRow;
  return tableOf<Row>(rows, {{"processor", "on", &Row::processor},
                             {"data", "data", [](const Row& row) { return nameOf(row.data); }},
                             {"patch", "patch", &Row::patch, {"%.0f³"}},
                             {"elements", "elements", &Row::elements},
                             {"neighbours", "", &Row::count},
                             {"kernelSeconds", "kernel", &Row::kernel, kMilliseconds},
                             {"residentSeconds", "resident", &Row::resident, kMilliseconds},
                             {"wholeSeconds", "whole", &Row::whole, kMilliseconds},
                             {"recall", "recall", &Row::recall, {"%.6g"}},
                             {"rowsChecked", "rows", &Row::checked},
                             {"limitShare", "limit", &Row::limitShare, kPercent},
                             growthColumn(rows),
                             {"hostBytes", "host GB", &Row::hostBytes, kHostGigabytes},
                             {"deviceBytes", "device GB", &Row::deviceBytes, kDeviceGigabytes}});
}

Table runTable(const std::vector<SurfaceRun>& runs) {
  using Run = SurfaceRun;
  return tableOf<Run>(runs, {{"processor", "on", &Run::processor},
                             {"data", "data", [](const Run& run) { return nameOf(run.data); }},
                             {"elements", "elements", &Run::elements},
                             {"wholeSeconds", "whole", &Run::whole},
                             {"farthest", "difference", &Run::farthest, {"%.2g"}},
                             {"stages", "stages", &Run::stages}});
}

}  // namespace

Report reportOf(const SurfaceMeasurements& measured) {
  const std::string aboutRows =
      "The exact search of the 96 most similar patches of each element. Times in ms. kernel: of the search "
      "by device events; resident: with order and layout of the patches, in device memory, by the clock; "
      "whole: from and to host memory. Recall: of the neighbors that every pair in double gives, in that "
      "many rows. limit: what every pair would take at the tf32 rate of the device's matrix product (413 "
      "Tflop/s), of the kernel's time; above 100 % where tiles are proved too far. Growth: exponent of time "
      "in elements since the next smaller size.";
  const std::string aboutRuns =
      "A denoising with default settings, from and to host memory, s. Difference: largest of φ from the "
      "first processor's, voxels.";
  return {measured,
          "Surface: speed",
          {{"rows", aboutRows, rowTable(measured.rows)}, {"runs", aboutRuns, runTable(measured.runs)}}};
}

void writeFigure(const SurfaceMeasurements& measured, const std::string& prefix) {
  std::ofstream(prefix + ".csv") << csv(rowTable(measured.rows));
  std::map<std::string, ChartLine> lines;
  for (const auto& row : measured.rows)
    if (row.patch == 5)
      lines[row.processor + ", " + nameOf(row.data)].push_back({row.problemSize(), row.seconds() * 1e3});
  writeLogChart(prefix + ".svg", lines, "elements", "ms a search");
}

}  // namespace sulcus::bench
