#pragma once

#include <filesystem>
#include <string_view>

namespace sulcus {

/// A file in memory, for libraries that read from a path alone: nothing lies on the disk, and nothing stays
/// when the process is ended.
class MemoryFile {
 public:
  /// @param name  for who looks at the process; it does not appear in the path
  /// @throws Error when there is no memory for it
  MemoryFile(const char* name, std::string_view bytes);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  /// Can be opened by this process for as long as the file is there.
  std::filesystem::path path() const;

 private:
  int descriptor_;
};

}  // namespace sulcus
