#include "tests/bench/fibers_bench.h"
#include "tests/bench/log_chart.h"
#include "tests/bench/report_parts.h"

#include <fstream>
#include <map>

namespace sulcus::bench {
namespace {

std::string nameOf(const FiberRow& row) {
  return row.implementation + ", shift " + row.shift + ", " + std::to_string(row.starts) + " starts, " +
         row.processor;
}

/// The largest size of every implementation, order by order.
std::vector<FiberRow> largestSizes(const FiberReport& report) {
  std::map<std::pair<int, std::string>, FiberRow> largest;
  for (const auto& row : report.rows) {
    auto& kept = largest[{row.order, nameOf(row)}];
    if (row.voxels > kept.voxels) kept = row;
  }
  std::vector<FiberRow> rows;
  for (const auto& [key, row] : largest) rows.push_back(row);
  return rows;
}

}  // namespace

std::string markdown(const FiberReport& report) {
  std::string out = "## Fibers\n\nCPU: " + report.cpu + ". GPU: " + report.gpu + ".\n\n";
  out +=
      "Times in ms. kernel: by device events; resident: by the clock, data in device memory; transfers: from "
      "and to "
      "host memory; files: from a raw file of tensors to one of peaks. Gflop/s in the paper's count (140 per "
      "A x³ at "
      "order 4). limit: share of the device's lane instructions that a hand count of the method needs. "
      "Missed: of the "
      "maxima above 0.1 that 1024 starts in double find, those without a peak within 5°.\n\n";
  out +=
      "| implementation | shift | data | starts | on | order | voxels | kernel | resident | transfers | "
      "files | "
      "iterations | "
      "missed | Gflop/s | limit | growth | host GB | device GB "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& row : report.rows)
    out += format("| %s | %s | %s | %d | %s | %d | %lld | ", row.implementation.c_str(), row.shift.c_str(),
                  row.data.c_str(), row.starts, row.processor.c_str(), row.order,
                  static_cast<long long>(row.voxels)) +
           milliseconds(row.kernel) + " | " + milliseconds(row.resident) + " | " +
           milliseconds(row.transfers) + " | " + milliseconds(row.endToEnd) +
           format(" | %.1f | %.2f %% | %.4g | %s | %.2f | %.2f | %.3f |\n", row.iterations, 100 * row.missed,
                  row.gflops,
                  row.fractionOfLimit > 0 ? format("%.0f %%", 100 * row.fractionOfLimit).c_str() : "–",
                  growthExponent(report, row), row.hostBytes * 1e-9, row.deviceBytes * 1e-9);
  out +=
      "\nA whole scan (70 volumes, csd), best of three, s:\n\n| on | order | voxels | all | stages "
      "|\n|---|---|---|---|---|\n";
  for (const auto& run : report.runs) {
    out += format("| %s | %d | %lld | %.3f |", run.processor.c_str(), run.order,
                  static_cast<long long>(run.voxels), run.seconds);
    for (const auto& stage : run.stages) out += format(" %s %.3f", stage.name.c_str(), stage.seconds);
    out += " |\n";
  }
  return out;
}

std::string json(const FiberReport& report) {
  nlohmann::json root = jsonHead(report);
  for (const auto& row : report.rows)
    root["rows"].push_back({{"implementation", row.implementation},
                            {"processor", row.processor},
                            {"shift", row.shift},
                            {"data", row.data},
                            {"order", row.order},
                            {"starts", row.starts},
                            {"voxels", row.voxels},
                            {"kernelSeconds", row.kernel},
                            {"residentSeconds", row.resident},
                            {"transferSeconds", row.transfers},
                            {"fileSeconds", row.endToEnd},
                            {"iterations", row.iterations},
                            {"missed", row.missed},
                            {"gflops", row.gflops},
                            {"fractionOfLimit", row.fractionOfLimit},
                            {"growthExponent", growthExponent(report, row)},
                            {"hostBytes", row.hostBytes},
                            {"deviceBytes", row.deviceBytes}});
  root["runs"] = nlohmann::json::array();
  for (const auto& run : report.runs)
    root["runs"].push_back({{"processor", run.processor},
                            {"order", run.order},
                            {"voxels", run.voxels},
                            {"seconds", run.seconds},
                            {"stages", jsonOf(run.stages)}});
  return root.dump(2) + "\n";
}

void writeFigure(const FiberReport& report, const std::string& prefix) {
  std::ofstream table(prefix + "-table.csv");
  table << "implementation,order,voxels,kernel_ms,gflops\n";
  for (const auto& row : largestSizes(report))
    table << '"' << nameOf(row) << "\"," << row.order << ',' << row.voxels << ',' << row.kernel * 1e3 << ','
          << row.gflops << '\n';

  std::ofstream curves(prefix + "-curves.csv");
  curves << "implementation,order,voxels,gflops\n";
  std::map<std::string, ChartLine> lines;
  for (const auto& row : report.rows) {
    curves << '"' << nameOf(row) << "\"," << row.order << ',' << row.voxels << ',' << row.gflops << '\n';
    if (row.order == report.rows.front().order)
      lines[nameOf(row)].push_back({double(row.voxels), row.gflops});
  }
  writeLogChart(
      prefix + "-curves.svg", lines, {"voxels", 2, 7},
      {format("Gflop/s in the paper's count, order %d", report.rows.empty() ? 4 : report.rows.front().order),
       -2, 5});
}

}  // namespace sulcus::bench
