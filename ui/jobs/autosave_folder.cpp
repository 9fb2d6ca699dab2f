#include "ui/jobs/autosave_folder.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_lock.h"
#include "core/base/platform/files/file_places.h"
#include "core/base/platform/processes/own_program.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>

namespace sulcus::ui::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSessionName = "session.sulcus";
constexpr auto kAgeOfLeftOvers = std::chrono::hours(24);

}  // namespace

AutosaveFolder::AutosaveFolder(const fs::path& parent) {
  std::random_device random;
  std::error_code fault;
  fs::create_directories(parent, fault);
  path_ = parent / (std::to_string(processId()) + '-' + std::to_string(random()));
  fs::create_directory(path_, fault);
  if (fault || !lock())
    throw Error(
        "Nothing is saved automatically",
        io::quotedPath(path_) + " cannot be written" + (fault ? ": " + fault.message() : std::string()),
        "save the session often, or set XDG_STATE_HOME to a writable folder");
  fs::permissions(path_, fs::perms::owner_all, fault);  // scans are private
}

AutosaveFolder::~AutosaveFolder() {
  std::error_code fault;
  if (!path_.empty()) fs::remove_all(path_, fault);
  if (descriptor_ >= 0) closeDescriptor(descriptor_);
}

fs::path AutosaveFolder::file() const { return path_ / kSessionName; }

bool AutosaveFolder::lock() {
  descriptor_ = openToLock(path_ / "lock", true);
  return descriptor_ >= 0 && tryLock(descriptor_) == Lock::taken;
}

std::vector<std::shared_ptr<AutosaveFolder>> AutosaveFolder::abandoned(const fs::path& parent) {
  std::vector<std::pair<fs::file_time_type, std::shared_ptr<AutosaveFolder>>> found;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(parent, fault)) {
    const auto status = statusOf(entry.path(), Links::refused);
    if (!status || !status->isOwn || status->kind != FileStatus::Kind::folder)
      continue;  // owned by another user, who may have linked it to a file of this user
    const std::shared_ptr<AutosaveFolder> folder(new AutosaveFolder);
    const auto written = fs::last_write_time(entry / fs::path(kSessionName), fault);
    const bool hasSession = !fault;
    // A folder without a session may be about to be locked by a window that has just started.
    const bool old = fs::file_time_type::clock::now() - entry.last_write_time(fault) > kAgeOfLeftOvers;
    if (!hasSession && !old) continue;
    folder->path_ = entry;
    if (!folder->lock())
      folder->keep();
    else if (hasSession)
      found.emplace_back(written, folder);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::shared_ptr<AutosaveFolder>> folders;
  for (auto& [written, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

fs::path autosaveParent() {
  const fs::path ours = fs::path("sulcus") / "autosave";
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state && *state == '/') return state / ours;
  const fs::path home = homeFolder();
  return (home.empty() ? "/tmp" : home) / ".local/state" / ours;
}

}  // namespace sulcus::ui::jobs
