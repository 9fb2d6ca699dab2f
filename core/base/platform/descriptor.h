#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace sulcus {

// Files by descriptor. What opens returns -1, with errno, where that fails; what returns an int besides
// returns 0 or the number of the error.

enum class Links { followed, refused };  ///< of the last part of a path

/// For reading: a file, a folder, or a pipe, whose writer is not waited for.
int openToRead(const std::filesystem::path& path, Links links = Links::followed) noexcept;
/// For writing: makes the file, or empties it.
int openToWrite(const std::filesystem::path& path, Links links = Links::followed) noexcept;
/// For reading and writing a file that is not there yet.
int openNew(const std::filesystem::path& path) noexcept;
/// For locking (file_lock.h): a file that is there, or, with `make`, may be.
int openToLock(const std::filesystem::path& path, bool make) noexcept;
int closeDescriptor(int descriptor) noexcept;

/// Reads from byte `position` on, as many bytes as there are. Their number, or -1 with errno.
std::ptrdiff_t readAt(int descriptor, std::span<char> to, std::uint64_t position) noexcept;
/// Writes all of `bytes`: behind what was written last, or from byte `position` on.
int writeAll(int descriptor, std::span<const char> bytes) noexcept;
int writeAllAt(int descriptor, std::span<const char> bytes, std::uint64_t position) noexcept;
int emptyFile(int descriptor) noexcept;
/// Waits until everything written to a file or folder is on the disk.
int flushToDisk(int descriptor) noexcept;
int flushToDisk(const std::filesystem::path& path) noexcept;

/// What the system says of a file.
struct FileStatus {
  enum class Kind { file, folder, other };  ///< other: a device, pipe or socket, or a link itself
  Kind kind = Kind::other;
  std::uint64_t device = 0, number = 0;  ///< which file it is, of all of this computer
  std::uint64_t bytes = 0;
  std::int64_t written = 0;  ///< nanoseconds since 1970
  bool isOwn = false;        ///< of the user whose process this is
};
/// Of what is open; of what a path leads to or, where links are refused, of what lies there itself. Nothing,
/// with errno, where that cannot be said.
std::optional<FileStatus> statusOf(int descriptor) noexcept;
std::optional<FileStatus> statusOf(const std::filesystem::path& path, Links links = Links::followed) noexcept;

/// Whether `path` is still the file that was opened, which was not removed or replaced meanwhile.
bool isStillAt(int descriptor, const std::filesystem::path& path) noexcept;

/// From here on nobody but this user may read what this process makes.
void keepNewFilesPrivate() noexcept;

}  // namespace sulcus
