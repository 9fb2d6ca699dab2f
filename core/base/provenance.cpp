#include "core/base/provenance.h"

#include "core/base/parallel/parallel_for.h"

#include <chrono>
#include <cstdio>
#include <fstream>

namespace sulcus {

std::string utcNow() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(now - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()), unsigned(date.month()),
                unsigned(date.day()), int(time.hours().count()), int(time.minutes().count()),
                int(time.seconds().count()));
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
