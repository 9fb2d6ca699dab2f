#pragma once

#include <filesystem>
#include <string>

namespace sulcus::io {

/// A file that appears under its name only when complete: written as a hidden temporary in the same folder,
/// then renamed. The destructor removes what was not committed.
class AtomicFile {
 public:
  /// Creates the temporary, empty. Throws Error when `file` exists and `overwrite` is false, or when the
  /// folder is missing or may not be written.
  AtomicFile(const std::filesystem::path& file, bool overwrite);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write; has the extension of the final name.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Makes `bytes` the whole content.
  void write(const std::string& bytes);
  /// Flushes to disk and renames. Throws Error when the disk is full or somebody else made the file
  /// meanwhile.
  void commit();

 private:
  std::filesystem::path file_, temporary_;
  bool overwrite_;
};

/// Throws the Error for a write to `file` that failed with `code` (errno).
[[noreturn]] void failWriting(const std::filesystem::path& file, int code);

}  // namespace sulcus::io
