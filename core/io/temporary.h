#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace sulcus::io {

/// A hidden file or folder to be renamed once it is complete: ".part-HOST-PID-N-NAME", or the last 100 bytes
/// of a longer name. It is locked (flock) as long as its maker lives, by which others know whether it was
/// abandoned.
class Temporary {
 public:
  enum class Kind { file, folder };
  /// Makes it, empty, in `folder` ("" is the current one). Throws Error, which speaks of `name`.
  Temporary(const std::filesystem::path& folder, const std::string& name, Kind kind);
  /// Removes it, with all that is in it.
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// It was renamed, or is wanted as it is: nothing is removed.
  void keep() { path_.clear(); }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Whether `path` is what was opened, and not removed or replaced meanwhile.
bool isStillAt(int descriptor, const std::filesystem::path& path);

/// Hands over every temporary for `name` in `folder` whose maker is surely dead: made on this computer by
/// this user, and nobody holds its lock. Where the file system has no locks none is handed over.
void forEachAbandoned(const std::filesystem::path& folder, const std::string& name,
                      const std::function<void(const std::filesystem::path&)>& deal);

}  // namespace sulcus::io
