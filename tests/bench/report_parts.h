#pragma once

#include "core/base/parallel_for.h"
#include "core/base/provenance.h"
#include "gpu/runtime/device.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// What the reports of all benchmarks share: `cpu`, `gpu`, `threads`, `hasGpu` say where they were made.

namespace sulcus::bench {

template <class Report>
void describeMachine(Report& report) {
  report.cpu = cpuName();
  report.threads = threadCount();
  const DeviceReport gpu = gpu::deviceReport();
  report.hasGpu = !gpu.devices.empty();
  report.gpu = report.hasGpu ? gpu.devices.front().name : gpu.reason;
}

/// A report with the machine and no rows yet.
template <class Report>
nlohmann::json jsonHead(const Report& report) {
  return {{"cpu", report.cpu},
          {"threads", report.threads},
          {"gpu", report.gpu},
          {"hasGpu", report.hasGpu},
          {"rows", nlohmann::json::array()}};
}

/// Seconds by the names of the stages.
inline nlohmann::json jsonOf(const std::vector<StageTime>& stages) {
  nlohmann::json json;
  for (const auto& stage : stages) json[stage.name] = stage.seconds;
  return json;
}

template <class... Args>
std::string format(const char* pattern, Args... args) {
  char text[400];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

/// "–" for what was not measured.
inline std::string milliseconds(double seconds) { return seconds > 0 ? format("%.3g", seconds * 1e3) : "–"; }

}  // namespace sulcus::bench
