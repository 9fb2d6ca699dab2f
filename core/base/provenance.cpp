#include "core/base/provenance.h"

#include "core/base/parallel/parallel_for.h"

#include <chrono>
#include <ctime>
#include <fstream>

namespace sulcus {

std::string utcNow() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string cpuName() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string name = "CPU";
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) name = line.substr(colon + 2);
    break;
  }
  return name + ", " + std::to_string(threadCount()) + " threads";
}

std::string sulcusVersion() { return SULCUS_VERSION; }

}  // namespace sulcus
