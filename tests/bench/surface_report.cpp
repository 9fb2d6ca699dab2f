#include "tests/bench/log_chart.h"
#include "tests/bench/report_parts.h"
#include "tests/bench/surface_bench.h"

#include <fstream>

namespace sulcus::bench {

std::string markdown(const SurfaceReport& report) {
  std::string out = "## Surface: speed\n\nCPU: " + report.cpu + ", " + std::to_string(report.threads) +
                    " threads. GPU: " + report.gpu + ".\n\n";
  out +=
      "The exact search of the 96 most similar patches of each element. Times in ms. kernel: of the search "
      "by "
      "device events; resident: with order and layout of the patches, in device memory, by the clock; whole: "
      "from and to host memory. Recall: of the neighbours that every pair in double gives, in that many "
      "rows. limit: what every pair would take at the tf32 rate of the device's matrix product (413 "
      "Tflop/s), "
      "of the kernel's time; above 100 % where tiles are proved too far. Growth: exponent of time in "
      "elements "
      "since the next smaller size.\n\n"
      "| on | data | patch | elements | kernel | resident | whole | recall | rows | limit | growth | host GB "
      "| "
      "device GB |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& row : report.rows)
    out += format("| %s | %s | %d³ | %lld | ", row.processor.c_str(), nameOf(row.data).c_str(), row.patch,
                  static_cast<long long>(row.elements)) +
           milliseconds(row.kernel) + " | " + milliseconds(row.resident) + " | " + milliseconds(row.whole) +
           format(" | %.6g | %d | ", row.recall, row.checked) +
           (row.limitShare > 0 ? format("%.0f %%", 100 * row.limitShare) : "–") +
           format(" | %.2f | %.2f | %.3f |\n", growthExponent(report, row), row.hostBytes * 1e-9,
                  row.deviceBytes * 1e-9);
  out +=
      "\nA denoising with default settings, from and to host memory, s. Difference: largest of φ from the "
      "first processor's, voxels.\n\n| on | data | elements | whole | difference | stages |\n"
      "|---|---|---|---|---|---|\n";
  for (const auto& run : report.runs) {
    out += format("| %s | %s | %lld | %.4g | %.2g |", run.processor.c_str(), nameOf(run.data).c_str(),
                  static_cast<long long>(run.elements), run.whole, run.farthest);
    for (const auto& stage : run.stages) out += format(" %s %.3f", stage.name.c_str(), stage.seconds);
    out += " |\n";
  }
  return out;
}

std::string json(const SurfaceReport& report) {
  nlohmann::json root = jsonHead(report);
  for (const auto& row : report.rows)
    root["rows"].push_back({{"processor", row.processor},
                            {"data", nameOf(row.data)},
                            {"elements", row.elements},
                            {"patch", row.patch},
                            {"neighbours", row.count},
                            {"kernelSeconds", row.kernel},
                            {"residentSeconds", row.resident},
                            {"wholeSeconds", row.whole},
                            {"recall", row.recall},
                            {"rowsChecked", row.checked},
                            {"limitShare", row.limitShare},
                            {"growthExponent", growthExponent(report, row)},
                            {"hostBytes", row.hostBytes},
                            {"deviceBytes", row.deviceBytes}});
  root["runs"] = nlohmann::json::array();
  for (const auto& run : report.runs)
    root["runs"].push_back({{"processor", run.processor},
                            {"data", nameOf(run.data)},
                            {"elements", run.elements},
                            {"wholeSeconds", run.whole},
                            {"farthest", run.farthest},
                            {"stages", jsonOf(run.stages)}});
  return root.dump(2) + "\n";
}

void writeFigure(const SurfaceReport& report, const std::string& prefix) {
  std::ofstream csv(prefix + ".csv");
  csv << "processor,data,patch,elements,kernel_ms,resident_ms,whole_ms,recall\n";
  std::map<std::string, ChartLine> lines;
  for (const auto& row : report.rows) {
    csv << '"' << row.processor << "\"," << nameOf(row.data) << ',' << row.patch << ',' << row.elements << ','
        << row.kernel * 1e3 << ',' << row.resident * 1e3 << ',' << row.whole * 1e3 << ',' << row.recall
        << '\n';
    if (row.patch == 5)
      lines[row.processor + ", " + nameOf(row.data)].push_back({double(row.elements), row.seconds() * 1e3});
  }
  writeLogChart(prefix + ".svg", lines, {"elements", 3, 7}, {"ms a search", -1, 6});
}

}  // namespace sulcus::bench
