#include "tests/bench/fibers/fibers_bench.h"
#include "tests/bench/format.h"
#include "tests/bench/svg_chart.h"

#include <fstream>
#include <map>

namespace sulcus::bench {
namespace {

Table rowTable(const std::vector<FiberRow>& rows, const std::vector<FiberRow>& all) {
  return tableOf<FiberRow>(rows, {{"shift", "shift", &FiberRow::shift},
                                  {"data", "data", &FiberRow::data},
                                  {"starts", "starts", &FiberRow::starts},
                                  {"processor", "on", &FiberRow::processor},
                                  {"order", "order", &FiberRow::order},
                                  {"voxels", "voxels", &FiberRow::voxels},
                                  {"kernelSeconds", "kernel", &FiberRow::kernel, kMilliseconds},
                                  {"residentSeconds", "resident", &FiberRow::resident, kMilliseconds},
                                  {"transferSeconds", "transfers", &FiberRow::transfers, kMilliseconds},
                                  {"fileSeconds", "files", &FiberRow::endToEnd, kMilliseconds},
                                  {"iterations", "iterations", &FiberRow::iterations, {"%.1f"}},
                                  {"missed", "missed", &FiberRow::missed, {"%.2f %%", 100}},
                                  {"gflops", "Gflop/s", &FiberRow::gflops},
                                  {"fractionOfLimit", "limit", &FiberRow::fractionOfLimit, kPercent},
                                  growthColumn(all),
                                  {"hostBytes", "host GB", &FiberRow::hostBytes, kHostGigabytes},
                                  {"deviceBytes", "device GB", &FiberRow::deviceBytes, kDeviceGigabytes}});
}

std::string nameOf(const FiberRow& row) {
  return "shift " + row.shift + ", " + std::to_string(row.starts) + " starts, " + row.processor;
}

/// The largest size of every setting, order by order.
std::vector<FiberRow> largestSizes(const std::vector<FiberRow>& all) {
  std::map<std::pair<int, std::string>, FiberRow> largest;
  for (const auto& row : all) {
    auto& kept = largest[{row.order, nameOf(row)}];
    if (row.voxels > kept.voxels) kept = row;
  }
  std::vector<FiberRow> rows;
  for (const auto& [key, row] : largest) rows.push_back(row);
  return rows;
}

}  // namespace

Report reportOf(const FiberMeasurements& measured) {
  const Section rows{
      "rows",
      "Times in ms. kernel: by device events; resident: by the clock, data in device memory; transfers: from "
      "and to host memory; files: from a raw file of tensors to one of peaks. Gflop/s in the paper's count "
      "(140 per A x³ at order 4). limit: share of the device's lane instructions that a hand count of the "
      "method needs. Missed: of the maxima above 0.1 that 1024 starts in double find, those without a peak "
      "within 5°. Growth: exponent of time in voxels since the next smaller size.",
      rowTable(measured.rows, measured.rows)};
  const Section runs{"runs", "Whole scans (csd: 70 volumes; msmt: 288), best of three, s:",
                     tableOf<FiberRun>(measured.runs, {{"processor", "on", &FiberRun::processor},
                                                       {"model", "model", &FiberRun::model},
                                                       {"order", "order", &FiberRun::order},
                                                       {"voxels", "voxels", &FiberRun::voxels},
                                                       {"seconds", "all", &FiberRun::seconds, kThreeDigits},
                                                       {"stages", "stages", &FiberRun::stages}})};
  return {measured, "Fibers", {rows, runs}};
}

void writeFigure(const FiberMeasurements& measured, const std::string& prefix) {
  std::ofstream(prefix + "-table.csv") << csv(rowTable(largestSizes(measured.rows), measured.rows));
  std::ofstream(prefix + "-curves.csv") << csv(rowTable(measured.rows, measured.rows));
  const int order = measured.rows.empty() ? 4 : measured.rows.front().order;
  std::map<std::string, ChartLine> lines;
  for (const auto& row : measured.rows)
    if (row.order == order) lines[nameOf(row)].push_back({double(row.voxels), row.gflops});
  writeLogChart(prefix + "-curves.svg", lines, "voxels",
                format("Gflop/s in the paper's count, order %d", order));
}

}  // namespace sulcus::bench
