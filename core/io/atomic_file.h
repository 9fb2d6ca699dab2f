#pragma once

#include "core/io/temporary.h"

#include <filesystem>
#include <string>

namespace sulcus::io {

/// A file that appears under its name only when complete: written as a hidden temporary in the same folder,
/// then renamed. The destructor removes what was not committed; what a killed run left is removed by the next
/// one that writes the same file.
class AtomicFile {
 public:
  /// Creates the temporary, empty. Throws Error when `file` exists and `overwrite` is false or it is not
  /// replaceable, or when the folder is missing or may not be written.
  AtomicFile(const std::filesystem::path& file, bool overwrite);

  /// Where to write; has the extension of the final name.
  const std::filesystem::path& temporary() const { return temporary_.path(); }
  /// Makes `bytes` the whole content. Throws Error when not all of them could be written.
  void write(const std::string& bytes);
  /// Flushes to disk and renames. Throws Error when the disk is full or somebody else made the file
  /// meanwhile.
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
/// Throws the Error for a `file` that names none, or that a folder, device, pipe or socket takes the place
/// of. A link is replaced itself, and what it names stays; so it must name an ordinary file or nothing.
void requireReplaceable(const std::filesystem::path& file);

/// Waits until all that was written to a file or a folder is on the disk; returns errno or 0.
int flushToDisk(const std::filesystem::path& path);
int flushToDisk(int descriptor);
/// rename(2); without `replace` only where there is nothing yet. Returns errno or 0.
int renameTo(const std::filesystem::path& from, const std::filesystem::path& to, bool replace);

}  // namespace sulcus::io
