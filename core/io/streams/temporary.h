#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace sulcus::io {

/// A hidden file or folder that is renamed when it is complete. Its name is ".part-HOST-PID-N-NAME", with the
/// last 100 bytes of a longer NAME. It is locked as long as its process lives, so that others know
/// whether it was abandoned.
class Temporary {
 public:
  enum class Kind { file, folder };
  /// Makes an empty one in `folder`, where "" is the current folder. Throws Error that names `name`.
  Temporary(const std::filesystem::path& folder, const std::string& name, Kind kind);
  /// Removes it with its content.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Says that it was renamed or is wanted as it is, so that the destructor removes nothing.
  void keep() { path_.clear(); }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Calls `deal` for every temporary for `name` in `folder` whose process has certainly ended: it was made on
/// this computer by this user, and its lock is free. There are none when the file system has no locks.
void forEachAbandoned(const std::filesystem::path& folder, const std::string& name,
                      const std::function<void(const std::filesystem::path&)>& deal);

}  // namespace sulcus::io
