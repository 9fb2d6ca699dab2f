#pragma once

#include <filesystem>
#include <memory>
#include <vector>

namespace sulcus::ui::jobs {

/// The folder that one window autosaves to. It is locked as long as its process lives, so that others know
/// whether it was left behind; it goes with its content when this is destroyed, as a window ends that ends
/// well.
class AutosaveFolder {
 public:
  /// Makes a new one in `parent`. Throws Error where that cannot be written.
  explicit AutosaveFolder(const std::filesystem::path& parent);
  ~AutosaveFolder();
  AutosaveFolder(const AutosaveFolder&) = delete;
  AutosaveFolder& operator=(const AutosaveFolder&) = delete;

  /// The session in it, which need not be there.
  std::filesystem::path file() const;
  /// Leaves it for the next start.
  void keep() { path_.clear(); }

  /// Those in `parent` with a session that no living process has, the newest first; they belong to the caller
  /// from now on.
  static std::vector<std::shared_ptr<AutosaveFolder>> abandoned(const std::filesystem::path& parent);

 private:
  AutosaveFolder() = default;
  bool lock();

  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Where this user's windows autosave to: $XDG_STATE_HOME/sulcus/autosave.
std::filesystem::path autosaveParent();

}  // namespace sulcus::ui::jobs
