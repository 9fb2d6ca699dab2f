#include "core/base/platform/memory_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace sulcus {

MemoryFile::MemoryFile(const char* name, std::string_view bytes)
    : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
  while (descriptor_ >= 0 && !bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    bytes.remove_prefix(std::size_t(written));
  }
  if (descriptor_ >= 0 && bytes.empty()) return;
  const std::string why = std::strerror(errno);
  if (descriptor_ >= 0) close(descriptor_);
  throw Error(std::string("There is no memory for ") + name, why, "close other programs",
              ErrorKind::unavailable);
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::filesystem::path MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace sulcus
