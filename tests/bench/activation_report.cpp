#include "tests/bench/activation_bench.h"
#include "tests/bench/report_parts.h"

namespace sulcus::bench {

std::string markdown(const ActivationReport& report) {
  std::string out = "## Activation\n\nCPU: " + report.cpu + ", " + std::to_string(report.threads) +
                    " threads. GPU: " + report.gpu + ".\n\n";
  out +=
      "Times of a whole run in ms. kernel: by device events, all iterations in one launch; resident: by the "
      "clock, "
      "data in device memory; transfers: from and to host memory. µs: the kernel's (a processor's whole) "
      "time of "
      "an iteration. Distance: the largest of any posterior mean from the row before it on a processor, same "
      "random numbers, in Monte Carlo errors. R̂: 99 % of voxels and regressors stay below. Growth: exponent "
      "of "
      "time in voxels since the next smaller size.\n\n"
      "| generator | on | voxels | scans | k | chains | groups | draws | kernel | resident | transfers | µs "
      "| "
      "distance | R̂ | growth | host GB | device GB |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& row : report.rows)
    out += format("| %s | %s | %lld | %d | %d | %d | %d | %d | ", row.generator.c_str(),
                  row.processor.c_str(), static_cast<long long>(row.voxels), row.scans, row.regressors,
                  row.chains, row.groups, row.draws) +
           milliseconds(row.kernel) + " | " + milliseconds(row.resident) + " | " +
           milliseconds(row.transfers) +
           format(" | %.3g | ", (row.kernel > 0 ? row.kernel : row.transfers) / row.draws * 1e6) +
           (row.distance < 0 ? "–" : format("%.2g", row.distance)) +
           format(" | %.4f | %.2f | %.2f | %.3f |\n", row.rhat, growthExponent(report, row),
                  row.hostBytes * 1e-9, row.deviceBytes * 1e-9);
  return out;
}

std::string json(const ActivationReport& report) {
  nlohmann::json root = jsonHead(report);
  for (const auto& row : report.rows)
    root["rows"].push_back({{"generator", row.generator},
                            {"processor", row.processor},
                            {"voxels", row.voxels},
                            {"scans", row.scans},
                            {"regressors", row.regressors},
                            {"chains", row.chains},
                            {"groups", row.groups},
                            {"draws", row.draws},
                            {"kernelSeconds", row.kernel},
                            {"residentSeconds", row.resident},
                            {"transferSeconds", row.transfers},
                            {"distance", row.distance},
                            {"rhat", row.rhat},
                            {"growthExponent", growthExponent(report, row)},
                            {"hostBytes", row.hostBytes},
                            {"deviceBytes", row.deviceBytes}});
  return root.dump(2) + "\n";
}

}  // namespace sulcus::bench
