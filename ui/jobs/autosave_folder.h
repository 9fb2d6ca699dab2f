#pragma once

#include <filesystem>
#include <memory>
#include <vector>

namespace sulcus::ui::jobs {

/// The folder that one window autosaves to. It is locked while its process lives, so that others can tell
/// whether it was left behind; it is removed with its contents when this is destroyed, i.e. when the window
/// exits normally.
class AutosaveFolder {
 public:
  /// Creates a new one in `parent`. Throws Error if that is not writable.
  explicit AutosaveFolder(const std::filesystem::path& parent);
  ~AutosaveFolder();
  AutosaveFolder(const AutosaveFolder&) = delete;
  AutosaveFolder& operator=(const AutosaveFolder&) = delete;

  /// The session in it, which need not exist.
  std::filesystem::path file() const;
  /// Leaves it for the next start.
  void keep() { path_.clear(); }

  /// Those in `parent` that have a session and belong to no living process, newest first; the caller owns
  /// them from now on.
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
