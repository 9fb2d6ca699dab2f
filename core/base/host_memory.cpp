#include "core/base/host_memory.h"

#include <cstdio>

namespace sulcus {

double freeHostMemory() noexcept {
  std::FILE* const file = std::fopen("/proc/meminfo", "re");
  if (!file) return 0;
  double kibibytes = 0;
  for (char line[128]; std::fgets(line, sizeof line, file);)
    if (std::sscanf(line, "MemAvailable: %lf kB", &kibibytes) == 1) break;
  std::fclose(file);
  return kibibytes * 1024;
}

}  // namespace sulcus
