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
#include <unistd.h>
#elif !defined(_WIN32)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sulcus {
namespace detail {

#ifdef __APPLE__
// The system has no memory files that can be opened by a path, so a temporary one is used.
int createMemoryFile(const char*) {
  std::string path = std::filesystem::temp_directory_path() / "sulcus-XXXXXX";
  return mkstemp(path.data());
}
std::filesystem::path pathOfMemoryFile(int descriptor) {
  char path[PATH_MAX] = {};
  fcntl(descriptor, F_GETPATH, path);
  return path;
}
void closeMemoryFile(int descriptor) {
  unlink(pathOfMemoryFile(descriptor).c_str());
  close(descriptor);
}
#elif !defined(_WIN32)
int createMemoryFile(const char* name) { return memfd_create(name, MFD_CLOEXEC); }
std::filesystem::path pathOfMemoryFile(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}
void closeMemoryFile(int descriptor) { close(descriptor); }
#endif

}  // namespace detail

MemoryFile::MemoryFile(const char* name, std::string_view bytes)
    : descriptor_(detail::createMemoryFile(name)) {
  const int fault = descriptor_ < 0 ? errno : writeAll(descriptor_, bytes);
  if (fault == 0) return;
  if (descriptor_ >= 0) detail::closeMemoryFile(descriptor_);
  throw Error(std::string("There is no memory for ") + name, std::strerror(fault), "close other programs",
              ErrorKind::unavailable);
}

MemoryFile::~MemoryFile() { detail::closeMemoryFile(descriptor_); }

std::filesystem::path MemoryFile::path() const { return detail::pathOfMemoryFile(descriptor_); }

}  // namespace sulcus
