#include "core/base/platform/memory/host_memory.h"
#include "core/base/platform/windows_errors.h"

#include <cmath>

#include <psapi.h>

namespace sulcus {

double freeInControlGroups(const char*, const char*) noexcept { return INFINITY; }

double freeHostMemory() noexcept {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) ? double(status.ullAvailPhys) : 0;
}

double residentHostMemory() noexcept {
  PROCESS_MEMORY_COUNTERS counters{};
  return GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
             ? double(counters.WorkingSetSize)
             : 0;
}

}  // namespace sulcus
