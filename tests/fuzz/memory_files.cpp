#include "tests/fuzz/memory_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

struct File {
  std::string path;
  const char* data;
  std::size_t size;
};

/// An open descriptor of one of these files.
struct Opened {
  const File* file = nullptr;  ///< null: free
  off_t position = 0;
};

constexpr int kFirst = 1 << 29;  ///< first of our descriptors, which the system does not reach
std::array<File, 16> files;      // unused ones have no path
std::array<Opened, 64> opened;

bool isOurs(const char* path) {
  constexpr std::string_view folder = sulcus::fuzz::kMemoryFolder;
  return std::strncmp(path, folder.data(), folder.size()) == 0 &&
         (path[folder.size()] == '/' || path[folder.size()] == '\0');
}

const File* found(const char* path) {
  const auto at =
      std::find_if(files.begin(), files.end(), [&](const File& file) { return file.path == path; });
  return at == files.end() ? nullptr : &*at;
}

Opened* ours(int descriptor) {
  const auto at = std::size_t(descriptor - kFirst);
  return descriptor >= kFirst && at < opened.size() && opened[at].file ? &opened[at] : nullptr;
}

int failed(int code) {
  errno = code;
  return -1;
}

int openOurs(const char* path, int flags) {
  if ((flags & O_ACCMODE) != O_RDONLY) return failed(EROFS);
  const File* const file = found(path);
  if (!file) return failed(ENOENT);
  const auto place = std::find_if(opened.begin(), opened.end(), [](const Opened& one) { return !one.file; });
  if (place == opened.end()) return failed(EMFILE);  // detects a parser that does not close its files
  *place = {file, 0};
  return kFirst + int(place - opened.begin());
}

int describe(const File* file, struct stat* status) {
  if (!file) return failed(ENOENT);
  *status = {};
  status->st_mode = S_IFREG | 0400, status->st_nlink = 1;
  status->st_size = off_t(file->size);
  status->st_ino = ino_t(file - files.data()) + 1;
  return 0;
}

int describe(const char* path, struct stat* status) {
  if (std::strlen(path) > std::strlen(sulcus::fuzz::kMemoryFolder)) return describe(found(path), status);
  *status = {};
  status->st_mode = S_IFDIR | 0500;
  return 0;
}

ssize_t readOurs(const File& file, void* to, std::size_t size, off_t position) {
  if (position < 0) return failed(EINVAL);
  if (std::size_t(position) >= file.size) return 0;
  size = std::min(size, file.size - std::size_t(position));
  std::memcpy(to, file.data + position, size);
  return ssize_t(size);
}

off_t seekOurs(Opened& one, off_t offset, int whence) {
  const off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? one.position : off_t(one.file->size);
  if (from + offset < 0) return failed(EINVAL);
  return one.position = from + offset;
}

}  // namespace

std::filesystem::path sulcus::fuzz::memoryFile(const char* name, const void* data, std::size_t size) {
  std::string path = std::string(kMemoryFolder) + "/" + name;
  const auto place = std::find_if(files.begin(), files.end(),
                                  [&](const File& file) { return file.path == path || file.path.empty(); });
  if (place == files.end()) std::abort();
  if (place->path.empty()) place->path = path;
  place->data = static_cast<const char*>(data), place->size = size;
  return path;
}

// The calls of the C library. Calls for other files go where they would have gone without this file.
#define SYSTEMS(name) static const auto system = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                           \
  int name(const char* path, int flags, ...) {                               \
    std::va_list arguments;                                                  \
    va_start(arguments, flags);                                              \
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;     \
    va_end(arguments);                                                       \
    SYSTEMS(name);                                                           \
    return isOurs(path) ? openOurs(path, flags) : system(path, flags, mode); \
  }

#define FCNTL(name)                                                      \
  int name(int descriptor, int command, ...) {                           \
    std::va_list arguments;                                              \
    va_start(arguments, command);                                        \
    void* const argument = va_arg(arguments, void*);                     \
    va_end(arguments);                                                   \
    SYSTEMS(name);                                                       \
    return ours(descriptor) ? 0 : system(descriptor, command, argument); \
  }

#define STAT(name)                                                       \
  int name(const char* path, struct stat* status) noexcept {             \
    SYSTEMS(name);                                                       \
    return isOurs(path) ? describe(path, status) : system(path, status); \
  }

#define LSEEK(name)                                                                   \
  off_t name(int descriptor, off_t offset, int whence) noexcept {                     \
    SYSTEMS(name);                                                                    \
    Opened* const one = ours(descriptor);                                             \
    return one ? seekOurs(*one, offset, whence) : system(descriptor, offset, whence); \
  }

#define PREAD(name)                                                                                 \
  ssize_t name(int descriptor, void* to, std::size_t size, off_t position) {                        \
    SYSTEMS(name);                                                                                  \
    const Opened* const one = ours(descriptor);                                                     \
    return one ? readOurs(*one->file, to, size, position) : system(descriptor, to, size, position); \
  }

extern "C" {
OPEN(open)
OPEN(open64)
FCNTL(fcntl)
FCNTL(fcntl64)
STAT(stat)
STAT(lstat)
LSEEK(lseek)
LSEEK(lseek64)
PREAD(pread)
PREAD(pread64)

int fstat(int descriptor, struct stat* status) noexcept {
  SYSTEMS(fstat);
  const Opened* const one = ours(descriptor);
  return one ? describe(one->file, status) : system(descriptor, status);
}

ssize_t read(int descriptor, void* to, std::size_t size) {
  SYSTEMS(read);
  Opened* const one = ours(descriptor);
  if (!one) return system(descriptor, to, size);
  const ssize_t got = readOurs(*one->file, to, size, one->position);
  if (got > 0) one->position += got;
  return got;
}

char* realpath(const char* path, char* to) noexcept {
  SYSTEMS(realpath);
  if (!isOurs(path)) return system(path, to);
  struct stat status;
  if (to || describe(path, &status) != 0) return nullptr;
  return strdup(std::filesystem::path(path).lexically_normal().c_str());
}

/// The seed of expat: the same input takes the same path every time, without a system call.
ssize_t getrandom(void* to, std::size_t size, unsigned) {
  std::memset(to, 1, size);
  return ssize_t(size);
}

int close(int descriptor) {
  SYSTEMS(close);
  Opened* const one = ours(descriptor);
  if (!one) return system(descriptor);
  *one = {};
  return 0;
}
}
