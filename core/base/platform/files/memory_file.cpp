#include "core/base/platform/files/memory_file.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"

#include <cerrno>
#include <cstring>
#include <string>

#ifdef __APPLE__
#include <climits>
#include <cstdlib>

#include <fcntl.h>
#else
#include <sys/mman.h>
#endif
#include <unistd.h>

namespace sulcus {

namespace {

#ifdef __APPLE__
// The system has no memory files that can be opened by a path, so a temporary one is used.
int made(const char*) {
  std::string path = std::filesystem::temp_directory_path() / "sulcus-XXXXXX";
  return mkstemp(path.data());
}
std::filesystem::path pathOf(int descriptor) {
  char path[PATH_MAX] = {};
  fcntl(descriptor, F_GETPATH, path);
  return path;
}
void removed(int descriptor) { unlink(pathOf(descriptor).c_str()); }
#else
int made(const char* name) { return memfd_create(name, MFD_CLOEXEC); }
std::filesystem::path pathOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }
void removed(int) {}
#endif

}  // namespace

MemoryFile::MemoryFile(const char* name, std::string_view bytes) : descriptor_(made(name)) {
  const int fault = descriptor_ < 0 ? errno : writeAll(descriptor_, bytes);
  if (fault == 0) return;
  if (descriptor_ >= 0) removed(descriptor_), close(descriptor_);
  throw Error(std::string("There is no memory for ") + name, std::strerror(fault), "close other programs",
              ErrorKind::unavailable);
}

MemoryFile::~MemoryFile() {
  removed(descriptor_);
  close(descriptor_);
}

std::filesystem::path MemoryFile::path() const { return pathOf(descriptor_); }

}  // namespace sulcus
