#include "tests/bench/fibers_bench.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

template <class... Args>
std::string format(const char* pattern, Args... args) {
  char text[400];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

std::string milliseconds(double seconds) { return seconds > 0 ? format("%.3g", seconds * 1e3) : "–"; }

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
  nlohmann::json root{
      {"cpu", report.cpu}, {"threads", report.threads}, {"gpu", report.gpu}, {"hasGpu", report.hasGpu}};
  root["rows"] = nlohmann::json::array();
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
  for (const auto& run : report.runs) {
    nlohmann::json stages;
    for (const auto& stage : run.stages) stages[stage.name] = stage.seconds;
    root["runs"].push_back({{"processor", run.processor},
                            {"order", run.order},
                            {"voxels", run.voxels},
                            {"seconds", run.seconds},
                            {"stages", stages}});
  }
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
  std::map<std::string, std::vector<const FiberRow*>> lines;
  for (const auto& row : report.rows) {
    curves << '"' << nameOf(row) << "\"," << row.order << ',' << row.voxels << ',' << row.gflops << '\n';
    if (row.order == report.rows.front().order) lines[nameOf(row)].push_back(&row);
  }

  // Both axes logarithmic: 10² … 10⁷ voxels, 10⁻² … 10⁵ Gflop/s.
  constexpr double left = 70, top = 30, width = 520, height = 380;
  const auto x = [&](double voxels) { return left + width * (std::log10(voxels) - 2) / 5; };
  const auto y = [&](double gflops) { return top + height * (5 - std::log10(std::max(gflops, 1e-2))) / 7; };
  std::ofstream svg(prefix + "-curves.svg");
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"980\" height=\"470\" font-family=\"sans-serif\" "
         "font-size=\"12\">\n<rect width=\"980\" height=\"470\" fill=\"white\"/>\n";
  for (int e = 2; e <= 7; ++e)
    svg << format(
        "<path d=\"M%g %gv%g\" stroke=\"#ddd\"/><text x=\"%g\" y=\"%g\" "
        "text-anchor=\"middle\">10^%d</text>\n",
        x(std::pow(10, e)), top, height, x(std::pow(10, e)), top + height + 18, e);
  for (int e = -2; e <= 5; ++e)
    svg << format(
        "<path d=\"M%g %gh%g\" stroke=\"#ddd\"/><text x=\"%g\" y=\"%g\" text-anchor=\"end\">10^%d</text>\n",
        left, y(std::pow(10, e)), width, left - 6, y(std::pow(10, e)) + 4, e);
  svg << format("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">voxels</text>\n", left + width / 2,
                top + height + 42)
      << format("<text x=\"%g\" y=\"18\">Gflop/s in the paper's count, order %d</text>\n", left,
                report.rows.empty() ? 4 : report.rows.front().order);
  int n = 0;
  for (const auto& [name, rows] : lines) {
    const std::string color = format("hsl(%d,65%%,42%%)", n * 360 / int(lines.size()));
    svg << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << color << "\" points=\"";
    for (const auto* row : rows) svg << format("%g,%g ", x(double(row->voxels)), y(row->gflops));
    svg << "\"/>\n";
    svg << format("<text x=\"%g\" y=\"%g\" fill=\"%s\">%s</text>\n", left + width + 14, top + 14 + 20.0 * n,
                  color.c_str(), name.c_str());
    ++n;
  }
  svg << "</svg>\n";
}

}  // namespace sulcus::bench
