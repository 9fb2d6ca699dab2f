#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace sulcus {

// Files by descriptor. Functions that open return -1 and set errno on failure; the others that return an int
// return 0 or the error number.

enum class Links { followed, refused };  ///< symbolic links in the last part of a path

/// For reading: a file, a folder, or a pipe, without waiting for its writer.
int openToRead(const std::filesystem::path& path, Links links = Links::followed) noexcept;
/// For writing: creates the file or truncates it.
int openToWrite(const std::filesystem::path& path, Links links = Links::followed) noexcept;
/// For reading and writing a file that must not exist yet.
int openNew(const std::filesystem::path& path) noexcept;
/// For locking (file_lock.h): an existing file or, with `make`, one that is created if missing.
int openToLock(const std::filesystem::path& path, bool make) noexcept;
int closeDescriptor(int descriptor) noexcept;

/// Reads from byte `position` on, as many bytes as there are. Returns their number, or -1 with errno.
std::ptrdiff_t readAt(int descriptor, std::span<char> to, std::uint64_t position) noexcept;
/// Writes all of `bytes`: after the last write, or from byte `position` on.
int writeAll(int descriptor, std::span<const char> bytes) noexcept;
int writeAllAt(int descriptor, std::span<const char> bytes, std::uint64_t position) noexcept;
int emptyFile(int descriptor) noexcept;
/// Waits until everything written to a file or folder is on disk.
int flushToDisk(int descriptor) noexcept;
int flushToDisk(const std::filesystem::path& path) noexcept;

/// What the system reports about a file.
struct FileStatus {
  enum class Kind { file, folder, other };  ///< other: a device, pipe or socket, or a link itself
  Kind kind = Kind::other;
  std::uint64_t device = 0, number = 0;  ///< identify the file on this computer
  std::uint64_t bytes = 0;
  std::int64_t written = 0;  ///< nanoseconds since 1970
  bool isOwn = false;        ///< owned by the user of this process
};
/// Of an open file; of what a path leads to or, if links are refused, of the last part of the path itself.
/// nullopt, with errno, if it cannot be determined.
std::optional<FileStatus> statusOf(int descriptor) noexcept;
std::optional<FileStatus> statusOf(const std::filesystem::path& path, Links links = Links::followed) noexcept;

/// Whether `path` still refers to the opened file, which has not been removed or replaced meanwhile.
bool isStillAt(int descriptor, const std::filesystem::path& path) noexcept;

/// From now on nobody but this user may read files that this process creates.
void keepNewFilesPrivate() noexcept;

}  // namespace sulcus
