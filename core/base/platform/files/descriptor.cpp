#include "core/base/platform/files/descriptor.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sulcus {
namespace {

int flagOf(Links links) { return links == Links::refused ? O_NOFOLLOW : 0; }

/// Writes all of `bytes` by `some`, which is given the remaining bytes and the number written so far.
template <class Some>
int writeBy(std::span<const char> bytes, const Some& some) noexcept {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = some(bytes.subspan(done), done);
    if (count == 0) return ENOSPC;
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) done += std::size_t(count);
  }
  return 0;
}

FileStatus::Kind kindOf(mode_t mode) noexcept {
  if (S_ISREG(mode)) return FileStatus::Kind::file;
  return S_ISDIR(mode) ? FileStatus::Kind::folder : FileStatus::Kind::other;
}

std::optional<FileStatus> known(int fault, const struct stat& status) noexcept {
  if (fault != 0) return std::nullopt;
#ifdef __APPLE__
  const timespec& written = status.st_mtimespec;
#else
  const timespec& written = status.st_mtim;
#endif
  return FileStatus{kindOf(status.st_mode),
                    std::uint64_t(status.st_dev),
                    std::uint64_t(status.st_ino),
                    std::uint64_t(status.st_size),
                    std::int64_t(written.tv_sec) * 1'000'000'000 + written.tv_nsec,
                    status.st_uid == geteuid()};
}

}  // namespace

int openToRead(const std::filesystem::path& path, Links links) noexcept {
  // Without O_NONBLOCK opening a pipe would wait for its writer.
  return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flagOf(links));
}

int openToWrite(const std::filesystem::path& path, Links links) noexcept {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flagOf(links), 0666);
}

int openNew(const std::filesystem::path& path) noexcept {
  return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

int openToLock(const std::filesystem::path& path, bool make) noexcept {
  return open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | (make ? O_CREAT : 0), 0666);
}

int closeDescriptor(int descriptor) noexcept { return close(descriptor) == 0 ? 0 : errno; }

std::ptrdiff_t readAt(int descriptor, std::span<char> to, std::uint64_t position) noexcept {
  std::size_t got = 0;
  while (got < to.size()) {
    const ssize_t count = pread(descriptor, to.data() + got, to.size() - got, off_t(position + got));
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    got += std::size_t(count);
  }
  return std::ptrdiff_t(got);
}

int writeAll(int descriptor, std::span<const char> bytes) noexcept {
  return writeBy(bytes, [&](std::span<const char> left, std::size_t) {
    return write(descriptor, left.data(), left.size());
  });
}

int writeAllAt(int descriptor, std::span<const char> bytes, std::uint64_t position) noexcept {
  return writeBy(bytes, [&](std::span<const char> left, std::size_t done) {
    return pwrite(descriptor, left.data(), left.size(), off_t(position + done));
  });
}

int emptyFile(int descriptor) noexcept { return ftruncate(descriptor, 0) == 0 ? 0 : errno; }

int flushToDisk(int descriptor) noexcept {
  return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;  // EINVAL: the file system cannot flush
}

int flushToDisk(const std::filesystem::path& path) noexcept {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int code = flushToDisk(descriptor);
  close(descriptor);
  return code;
}

std::optional<FileStatus> statusOf(int descriptor) noexcept {
  struct stat status = {};
  return known(fstat(descriptor, &status), status);
}

std::optional<FileStatus> statusOf(const std::filesystem::path& path, Links links) noexcept {
  struct stat status = {};
  return known(links == Links::followed ? stat(path.c_str(), &status) : lstat(path.c_str(), &status), status);
}

bool isStillAt(int descriptor, const std::filesystem::path& path) noexcept {
  const auto opened = statusOf(descriptor), there = statusOf(path, Links::refused);
  return opened && there && opened->number == there->number && opened->device == there->device;
}

void keepNewFilesPrivate() noexcept { umask(077); }

}  // namespace sulcus
