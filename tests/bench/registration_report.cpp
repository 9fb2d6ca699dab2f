#include "tests/bench/log_chart.h"
#include "tests/bench/registration_bench.h"
#include "tests/bench/report_parts.h"

#include <fstream>

namespace sulcus::bench {

std::string markdown(const RegistrationReport& report) {
  std::string out = "## Registration\n\nCPU: " + report.cpu + ", " + std::to_string(report.threads) +
                    " threads. GPU: " + report.gpu + ".\n\n";
  out += format(
      "Times in ms. kernels: of an iteration by device events, nothing read in between; iteration: by the "
      "clock, as a descent does it. Mvoxel/s and copy are of the kernels' time (a processor's iteration): "
      "copy is the share of the device's copy bandwidth (%.2f TB/s) that %.0f bytes a voxel take. Growth: "
      "exponent of time in voxels since the next smaller size.\n\n",
      report.copyBandwidth * 1e-12, kBytesPerVoxel);
  out +=
      "| on | voxels | kernels | iteration | Mvoxel/s | copy | growth | host GB | device GB |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& row : report.rows)
    out += format("| %s | %lld³ | ", row.processor.c_str(), static_cast<long long>(row.size)) +
           milliseconds(row.kernel) + " | " + milliseconds(row.iteration) +
           format(" | %.4g | ", row.voxels() / row.seconds() * 1e-6) +
           (row.copyShare > 0 ? format("%.0f %%", 100 * row.copyShare) : "–") +
           format(" | %.2f | %.2f | %.3f |\n", growthExponent(report, row), row.hostBytes * 1e-9,
                  row.deviceBytes * 1e-9);
  out +=
      "\nA brain-like phantom, from and to host memory, s. descent: on the full images; whole: a "
      "registration with default settings. Error: distance from the known warp in the head, voxels.\n\n"
      "| on | voxels | iterations | descent | whole | iterations | error | 95 % | correlation | min J | "
      "stages |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& run : report.runs) {
    out += format("| %s | %lld³ | %d | %.4g | %.4g | %d | %.3f | %.3f | %.4f | %.3f |", run.processor.c_str(),
                  static_cast<long long>(run.size), run.iterations, run.descent, run.whole,
                  run.wholeIterations, run.meanError, run.highError, run.correlation, run.smallestJ);
    for (const auto& stage : run.stages) out += format(" %s %.3f", stage.name.c_str(), stage.seconds);
    out += " |\n";
  }
  return out;
}

std::string json(const RegistrationReport& report) {
  nlohmann::json root = jsonHead(report);
  root["copyBandwidth"] = report.copyBandwidth;
  for (const auto& row : report.rows)
    root["rows"].push_back({{"processor", row.processor},
                            {"size", row.size},
                            {"kernelSeconds", row.kernel},
                            {"iterationSeconds", row.iteration},
                            {"copyShare", row.copyShare},
                            {"growthExponent", growthExponent(report, row)},
                            {"hostBytes", row.hostBytes},
                            {"deviceBytes", row.deviceBytes}});
  root["runs"] = nlohmann::json::array();
  for (const auto& run : report.runs)
    root["runs"].push_back({{"processor", run.processor},
                            {"size", run.size},
                            {"iterations", run.iterations},
                            {"descentSeconds", run.descent},
                            {"wholeSeconds", run.whole},
                            {"wholeIterations", run.wholeIterations},
                            {"meanError", run.meanError},
                            {"highError", run.highError},
                            {"correlation", run.correlation},
                            {"smallestJ", run.smallestJ},
                            {"stages", jsonOf(run.stages)}});
  return root.dump(2) + "\n";
}

void writeFigure(const RegistrationReport& report, const std::string& prefix) {
  std::ofstream csv(prefix + ".csv");
  csv << "processor,size,voxels,kernel_ms,iteration_ms\n";
  std::map<std::string, ChartLine> lines;
  for (const auto& row : report.rows) {
    csv << '"' << row.processor << "\"," << row.size << ',' << row.voxels() << ',' << row.kernel * 1e3 << ','
        << row.iteration * 1e3 << '\n';
    lines[row.processor].push_back({row.voxels(), row.iteration * 1e3});
  }
  writeLogChart(prefix + ".svg", lines, {"voxels", 4, 9}, {"ms an iteration", -2, 5});
}

}  // namespace sulcus::bench
