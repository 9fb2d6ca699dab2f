#pragma once

#include "core/io/streams/temporary.h"

#include <filesystem>
#include <string>

namespace sulcus::io {

/// A file that appears under its name only when it is complete. It is written as a hidden temporary file in
/// the same folder and then renamed. The destructor removes a file that was not committed; one left behind by
/// a killed run is removed by the next run that writes the same file.
class AtomicFile {
 public:
  /// Creates the empty temporary file. Throws Error if `file` exists and `overwrite` is false or it is not
  /// replaceable, or if the folder is missing or not writable.
  AtomicFile(const std::filesystem::path& file, bool overwrite);

  /// The file to write to, which has the extension of the final name.
  const std::filesystem::path& temporary() const { return temporary_.path(); }
  /// Writes `bytes` as the whole content. Throws Error if not all of them could be written.
  void write(const std::string& bytes);
  /// Flushes the file to the disk and renames it. Throws Error if the disk is full or another process created
  /// the file meanwhile.
  void commit();

 private:
  std::filesystem::path file_;
  bool overwrite_;
  Temporary temporary_;
};

/// Throws the Error for a write to `file` that failed with `code` (errno).
[[noreturn]] void failWriting(const std::filesystem::path& file, int code);
/// Throws the Error for an existing `file` that would be lost.
[[noreturn]] void failExists(const std::filesystem::path& file);
/// Throws the Error for a path that names no file, and for one that is a folder, device, pipe or socket. A
/// link itself is replaced, not its target; nevertheless the target must be a regular file or missing.
void requireReplaceable(const std::filesystem::path& file);

}  // namespace sulcus::io
