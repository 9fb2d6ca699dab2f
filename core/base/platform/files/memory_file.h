#pragma once

#include <filesystem>
#include <string_view>

namespace sulcus {

/// A file in memory, for libraries that can read only from a path: nothing is written to disk, and nothing
/// remains when the process is killed.
class MemoryFile {
 public:
  /// @param name  shown to tools that inspect the process; not part of the path
  /// @throws Error if there is not enough memory
  MemoryFile(const char* name, std::string_view bytes);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  /// The path, which only this process can open, as long as this object lives.
  std::filesystem::path path() const;

 private:
  int descriptor_;
};

namespace detail {

/// What MemoryFile needs of the system. The descriptor is −1 if there is an error, which errno then says.
int createMemoryFile(const char* name);
std::filesystem::path pathOfMemoryFile(int descriptor);
void closeMemoryFile(int descriptor);

}  // namespace detail

}  // namespace sulcus
