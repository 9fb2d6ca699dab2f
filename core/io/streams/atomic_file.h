#pragma once

#include "core/io/streams/temporary.h"

#include <filesystem>
#include <string>

namespace sulcus::io {

/// A file that appears under its name only when it is complete. It is written as a hidden temporary file in
/// the same folder and then renamed. The destructor removes a file that was not committed; one that a killed
/// run left behind is removed by the next run that writes the same file.
class AtomicFile {
 public:
  /// Creates the empty temporary file. Throws Error when `file` exists and `overwrite` is false or it is not
  /// replaceable, or when the folder is missing or may not be written.
  AtomicFile(const std::filesystem::path& file, bool overwrite);

  /// The file to write, which has the extension of the final name.
  const std::filesystem::path& temporary() const { return temporary_.path(); }
  /// Makes `bytes` the whole content. Throws Error when not all of them could be written.
  void write(const std::string& bytes);
  /// Flushes the file to the disk and renames it. Throws Error when the disk is full or another process made
  /// the file meanwhile.
  void commit();

 private:
  std::filesystem::path file_;
  bool overwrite_;
  Temporary temporary_;
};

/// Throws the Error for a write to `file` that failed with `code` (errno).
[[noreturn]] void failWriting(const std::filesystem::path& file, int code);
/// Throws the Error for a `file` that would be lost.
[[noreturn]] void failExists(const std::filesystem::path& file);
/// Throws the Error for a folder that lies where `file` is to be.
[[noreturn]] void failFolder(const std::filesystem::path& file);
/// Throws the Error for a path that names no file, and for one where a folder, device, pipe or socket is. A
/// link is replaced itself and its target stays; so the target must be an ordinary file or missing.
void requireReplaceable(const std::filesystem::path& file);

}  // namespace sulcus::io
