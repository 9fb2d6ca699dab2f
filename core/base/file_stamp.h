#pragma once

#include <cstdint>
#include <filesystem>

namespace sulcus {

/// Identifies a state of a file: writing to it or replacing it changes the stamp.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, bytes = 0;
  std::int64_t written = 0;  ///< nanoseconds since 1970

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// The current state of a file; the default stamp if it is not a regular file or cannot be queried.
FileStamp stampOf(const std::filesystem::path& file) noexcept;

}  // namespace sulcus
