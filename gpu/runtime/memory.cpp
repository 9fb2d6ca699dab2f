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

}  // namespace

void requireMemory(std::int64_t bytes, const std::string& what) {
  const std::int64_t available = freeMemory();
  if (bytes > available)
    throw Error(theDevice() + " has too little free memory for " + what,
                gigabytes(bytes) + " are needed, " + gigabytes(available) + " are free",
                "close other programs that use the GPU, work on fewer voxels with a mask, or run on the CPU",
                ErrorKind::unavailable);
}

}  // namespace sulcus::gpu
