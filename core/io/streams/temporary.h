#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace sulcus::io {

/// A hidden file or folder that is renamed when it is complete. Its name is ".part-HOST-PID-N-NAME", with the
/// last 100 bytes of a longer NAME. It is locked as long as its process lives, so that others can tell
/// whether it was abandoned.
class Temporary {
 public:
  enum class Kind { file, folder };
  /// Creates an empty one in `folder`, where "" is the current folder. Throws Error that names `name`.
  Temporary(const std::filesystem::path& folder, const std::string& name, Kind kind);
  /// Removes it and its content.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Keeps it, because it was renamed or is wanted as it is: the destructor then removes nothing.
  void keep() { path_.clear(); }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Calls `deal` for every temporary for `name` in `folder` whose process has certainly ended: it was created
/// on this computer by this user, and its lock is free. Finds none if the file system has no locks.
void forEachAbandoned(const std::filesystem::path& folder, const std::string& name,
                      const std::function<void(const std::filesystem::path&)>& deal);

}  // namespace sulcus::io
