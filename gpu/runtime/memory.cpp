#include "core/base/error.h"
#include "gpu/runtime/device.h"

#include <cstdio>

namespace sulcus::gpu {
namespace {

std::string gigabytes(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 1'000'000'000 ? "%.3g GB" : "%.1f GB", double(bytes) * 1e-9);
  return text;
}

void require(std::int64_t bytes, std::int64_t available, const std::string& what, const char* free) {
  if (bytes > available)
    throw Error(
        theDevice() + " has too little " + free + "memory for " + what,
        gigabytes(bytes) + " are needed, " + gigabytes(available) + " are " + (*free != 0 ? "free" : "there"),
        "close other programs that use the GPU, work on fewer voxels with a mask, or run on the CPU",
        ErrorKind::unavailable);
}

}  // namespace

void requireMemory(std::int64_t bytes, const std::string& what) {
  require(bytes, freeMemory(), what, "free ");
}

void requireTotalMemory(std::int64_t bytes, const std::string& what) {
  if (totalMemory() == 0) requireDevice();
  require(bytes, totalMemory(), what, "");
}

}  // namespace sulcus::gpu
