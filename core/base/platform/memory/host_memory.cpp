#include "core/base/platform/memory/host_memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

#ifdef __APPLE__
#include <mach/mach.h>
#else
#include <unistd.h>
#endif

namespace sulcus {
namespace {

constexpr std::size_t kLongestLine = 8192, kLongestName = 9216;  // bytes

/// Calls `take` with each line of a text file; never, if the file is missing or cannot be read.
template <class Take>
void forEachLine(const char* path, Take&& take) noexcept {
  std::FILE* const file = std::fopen(path, "re");
  if (!file) return;
  for (char line[kLongestLine]; std::fgets(line, sizeof line, file);) {
    line[std::strcspn(line, "\n")] = 0;
    take(line);
  }
  std::fclose(file);
}

/// The file names of a control group.
struct ControlFiles {
  const char *limit, *used;
  std::array<const char*, 2> droppable;  ///< keys in memory.stat
};
constexpr ControlFiles kVersion1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};
constexpr ControlFiles kVersion2{"memory.max", "memory.current", {"inactive_file", "active_file"}};

/// Bytes that the members of one control group may still take, at least 1.
double freeInGroup(const char* folder, const ControlFiles& files) noexcept {
  char path[kLongestName + 64];
  const auto number = [&](const char* file) {
    double value = INFINITY;  // also if the file says "max"
    std::snprintf(path, sizeof path, "%s/%s", folder, file);
    forEachLine(path, [&](const char* line) { std::sscanf(line, "%lf", &value); });
    return value;
  };
  const double limit = number(files.limit), used = number(files.used);
  if (!std::isfinite(limit) || !std::isfinite(used)) return INFINITY;
  double droppable = 0;
  std::snprintf(path, sizeof path, "%s/memory.stat", folder);
  forEachLine(path, [&](const char* line) {
    char name[64];
    double bytes = 0;
    if (std::sscanf(line, "%63s %lf", name, &bytes) == 2)
      for (const char* wanted : files.droppable)
        if (std::strcmp(name, wanted) == 0) droppable += bytes;
  });
  return std::max(1.0, limit - std::max(0.0, used - droppable));
}

}  // namespace

double freeInControlGroups(const char* membership, const char* mount) noexcept {
  double least = INFINITY;
  forEachLine(membership, [&](const char* line) {  // e.g. "4:memory:/slurm/job_7" or "0::/system.slice"
    const char* const controllers = std::strchr(line, ':');
    const char* const group = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!group) return;
    const bool second = group == controllers + 1;
    if (!second && std::strncmp(controllers, ":memory:", 8) != 0) return;
    char folder[kLongestName];
    std::snprintf(folder, sizeof folder, "%s%s%s", mount, second ? "" : "/memory", group + 1);
    const std::size_t top = std::strlen(mount) + (second ? 0 : std::strlen("/memory"));
    // In a container a group may have its outside name, while only the folder at the top exists.
    while (std::strlen(folder) >= top) {
      least = std::min(least, freeInGroup(folder, second ? kVersion2 : kVersion1));
      char* const last = std::strrchr(folder, '/');
      if (!last) break;
      *last = 0;
    }
  });
  return least;
}

#ifdef __APPLE__
double freeHostMemory() noexcept {
  vm_statistics64 pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (host_statistics64(mach_host_self(), HOST_VM_INFO64, host_info64_t(&pages), &count) != KERN_SUCCESS)
    return 0;
  return double(pages.free_count + pages.inactive_count + pages.purgeable_count) * double(vm_page_size);
}

double residentHostMemory() noexcept {
  mach_task_basic_info task{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  const auto known = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, task_info_t(&task), &count);
  return known == KERN_SUCCESS ? double(task.resident_size) : 0;
}
#else
double freeHostMemory() noexcept {
  double kibibytes = 0;
  forEachLine("/proc/meminfo",
              [&](const char* line) { std::sscanf(line, "MemAvailable: %lf kB", &kibibytes); });
  return std::min(kibibytes * 1024, freeInControlGroups("/proc/self/cgroup", "/sys/fs/cgroup"));
}

double residentHostMemory() noexcept {
  double all = 0, resident = 0;  // pages
  forEachLine("/proc/self/statm", [&](const char* line) { std::sscanf(line, "%lf %lf", &all, &resident); });
  return resident * double(sysconf(_SC_PAGESIZE));
}
#endif

}  // namespace sulcus
