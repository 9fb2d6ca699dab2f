#include "core/base/host_memory.h"

#include <fstream>
#include <string>

namespace sulcus {

double freeHostMemory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    double kibibytes = 0;
    if (key == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
    std::getline(meminfo, key);
  }
  return 0;
}

}  // namespace sulcus
