#include "core/io/streams/staged_files.h"

#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_lock.h"
#include "core/base/platform/files/file_places.h"
#include "core/base/platform/files/folder_entries.h"
#include "core/io/companions.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/sink.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <map>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

// The folders in a staging folder: the new files while they are being written, the old ones moved away, and
// the new ones once nothing will be undone any more.
constexpr const char *kNew = "new", *kOld = "old", *kGoing = "going";

bool isThere(const fs::path& path) {
  std::error_code fault;
  return fs::exists(fs::symlink_status(path, fault));
}

bool isFolder(const fs::path& path) {
  std::error_code fault;
  return fs::is_directory(path, fault);
}

/// The absolute path without links and "..", so that the folder itself is exchanged, not a link to it.
fs::path resolved(const fs::path& folder) {
  std::error_code fault;
  fs::path full = fs::absolute(folder, fault);
  if (!fault) full = fs::weakly_canonical(full, fault);
  if (fault) failWriting(folder, fault.value());
  if (!full.has_filename()) full = full.parent_path();  // for a path like "out/"
  return full;
}

void makeFolders(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) failWriting(folder, fault.value());
}

/// The names of everything in `folder` that is not a folder.
std::set<fs::path> filesIn(const fs::path& folder) {
  std::set<fs::path> names;
  std::error_code fault;
  for (fs::recursive_directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
    if (!fs::is_directory(at->symlink_status(fault))) names.insert(at->path().lexically_relative(folder));
  return names;
}

/// Links the files of `from` into `to`, except for those named in `replaced`. Returns the names linked, and
/// whether that was possible: `from` must hold nothing but files, and folders that `to` has as well.
std::pair<std::set<fs::path>, bool> linkOthers(const fs::path& from, const fs::path& to,
                                               const std::set<fs::path>& replaced) {
  std::set<fs::path> linked;
  std::error_code fault;
  for (fs::recursive_directory_iterator at(from, fault), end; !fault && at != end; at.increment(fault)) {
    const fs::path name = at->path().lexically_relative(from);
    if (fs::is_directory(at->symlink_status(fault))) {
      if (!isFolder(to / name)) return {linked, false};  // any other folder is not ours
      continue;
    }
    if (replaced.contains(name)) continue;
    if (!at->is_regular_file(fault) || at->is_symlink(fault)) return {linked, false};
    fs::create_hard_link(at->path(), to / name, fault);
    if (fault) return {linked, false};
    linked.insert(name);
  }
  return {linked, !fault};
}

/// The contents of a folder and its subfolders, each of which is read once.
class Listing {
 public:
  explicit Listing(fs::path folder) : folder_(std::move(folder)) {}

  /// The names that match `name`, where `*` in the last part of a pattern stands for any text.
  std::vector<fs::path> matching(const fs::path& name, bool isPattern) {
    if (!isPattern || name.string().find('*') == std::string::npos)
      return isThere(folder_ / name) ? std::vector{name} : std::vector<fs::path>();
    std::vector<fs::path> found;
    const std::string wanted = name.filename().string();
    for (const std::string& there : namesIn(name.parent_path()))
      if (matchesPathPattern(wanted, there)) found.push_back(name.parent_path() / there);
    return found;
  }

 private:
  const std::vector<std::string>& namesIn(const fs::path& below) {
    const auto [names, isNew] = read_.try_emplace(below);
    std::error_code fault;
    if (isNew)
      for (fs::directory_iterator at(folder_ / below, fault), end; !fault && at != end; at.increment(fault))
        names->second.push_back(at->path().filename().string());
    return names->second;
  }

  fs::path folder_;
  std::map<fs::path, std::vector<std::string>> read_;
};

/// Whether a file is provenance.json, whose presence marks results as complete. The old one is moved away
/// first and the new one in last.
bool isProvenance(const fs::path& name) { return name.filename() == "provenance.json"; }

bool endsIn(const fs::path& file, const std::set<std::string>& endings) {
  std::string name = file.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.ends_with(".nii.gz")) name.resize(name.size() - 3);
  return endings.count(fs::path(name).extension().string()) != 0;
}

/// Whether a file is a scan by its extension. Gradients and a sidecar of the same stem are considered its
/// own.
bool isScan(const fs::path& file) {
  return endsIn(file, {".nii", ".hdr", ".img", ".nrrd", ".nhdr", ".mha", ".mhd", ".mgh", ".mgz", ".dcm"});
}

/// Whether a sidecar of the same stem is considered that of a file.
bool hasSidecar(const fs::path& file) {
  return isScan(file) || endsIn(file, {".vtp", ".ply", ".stl", ".obj", ".gii"});
}

/// Whether files of the same stem are considered to belong to a file: for a surface only if it has no sidecar
/// of its own.
bool sharesStem(const fs::path& file) {
  return hasSidecar(file) && (sidecarOf(file) == beside(file, ".json") || !isThere(sidecarOf(file)));
}

/// Throws Error if the existing `companion` belongs to a scan other than the old `file`, or to none.
void requireOwn(const fs::path& companion, const fs::path& file) {
  if (companion.filename() == file.filename().string() + ".json") return;
  for (const fs::path& other : folderEntriesIfAny(file.parent_path()))
    if (other.filename() != file.filename() && sharesStem(other) && stemOf(other) == stemOf(file) &&
        !isFolder(other))
      throw Error(quotedPath(companion) + " exists already", "it belongs to " + quoted(other),
                  "choose another name or folder");
  if (isScan(file) && !isThere(file))
    throw Error(quotedPath(companion) + " exists already",
                "it belongs to no " + quoted(file) + " that would be replaced",
                "move it away, or choose another name or folder");
}

/// Locks the folder against other publishing runs, if its file system has locks.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) {
    do {
      if (descriptor_ >= 0)
        closeDescriptor(descriptor_);  // it refers to a folder that was exchanged meanwhile
      descriptor_ = openToRead(folder);
    } while (descriptor_ >= 0 && awaitLock(descriptor_) == Lock::taken && !isStillAt(descriptor_, folder));
  }
  ~FolderLock() {
    if (descriptor_ >= 0) closeDescriptor(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

bool holdsCurrentFolder(const fs::path& folder) {
  std::error_code fault;
  const fs::path current = fs::current_path(fault);
  return std::mismatch(folder.begin(), folder.end(), current.begin(), current.end()).first == folder.end();
}

/// Undoes or finishes what a run began and removes its staging folder. False if that failed: the staging
/// folder then holds files that are nowhere else, and must stay until it succeeds.
bool settle(const fs::path& staging, const fs::path& folder) {
  if (!isFolder(staging)) return true;
  const bool finish = isThere(staging / kGoing), replaced = isThere(staging / kOld);
  const fs::path from = staging / (finish ? kGoing : kOld);
  for (const auto& name : filesIn(from)) {
    std::error_code fault;
    fs::create_directories((folder / name).parent_path(), fault);
    const int code = renameTo(from / name, folder / name, finish && replaced);
    if (code != 0 && code != EEXIST) return false;
  }
  std::error_code ignored;
  fs::remove_all(staging, ignored);
  return true;
}

}  // namespace

StagedFiles::StagedFiles(fs::path folder, fs::path main, std::vector<fs::path> names, bool overwrite)
    : folder_(std::move(folder)),
      main_(std::move(main)),
      names_(std::move(names)),
      overwrite_(overwrite),
      staging_(makeStaging()) {
  makeFolders(staging_.path() / kNew);
}

StagedFiles StagedFiles::results(const fs::path& folder, const std::vector<std::string>& names,
                                 bool overwrite) {
  if (folder.empty())
    throw Error(quotedPath(folder) + " names no folder", "it is empty", "give the name of a folder");
  return StagedFiles(resolved(folder), {}, {names.begin(), names.end()}, overwrite);
}

StagedFiles StagedFiles::scan(const fs::path& file, const std::vector<fs::path>& beside, bool overwrite) {
  requireReplaceable(file);
  std::vector<fs::path> names{file.filename()};
  for (const auto& other : beside) names.push_back(other.filename());
  return StagedFiles(file.has_parent_path() ? file.parent_path() : ".", file.filename(), std::move(names),
                     overwrite);
}

Temporary StagedFiles::makeStaging() const {
  const fs::path parent = folder_.parent_path();
  const std::string name = (main_.empty() ? folder_.filename() : main_).string();
  if (main_.empty() && !isThere(folder_)) makeFolders(parent);
  const auto deal = [&](const fs::path& left) { static_cast<void>(settle(left, folder_)); };
  if (main_.empty()) forEachAbandoned(parent, name, deal);
  forEachAbandoned(folder_, name, deal);
  requirePublishable();
  // The staging folder is on the file system of the destination, so that files can be renamed.
  const auto there = statusOf(folder_), above = statusOf(parent);
  const bool beside =
      main_.empty() && (!there || (above && there->device == above->device && writableFolder(parent) == 0));
  return Temporary(beside ? parent : folder_, name, Temporary::Kind::folder);
}

void StagedFiles::requirePublishable() const {
  if (isThere(folder_)) {
    if (!isFolder(folder_))
      throw Error(quotedPath(folder_) + " is a file", "results are written into a folder",
                  "choose another folder");
    if (const int code = writableFolder(folder_)) failWriting(folder_ / main_, code);
  }
  requirePlaces(names_);
}

void StagedFiles::requirePlaces(const std::vector<fs::path>& names) const {
  Listing there(folder_);
  for (const auto& name : names) {
    if (const fs::path folder = folder_ / name.parent_path(); isThere(folder) && !isFolder(folder))
      throw Error(quotedPath(folder) + " is a file", "a results folder is to be created there",
                  "choose another folder");
    for (const auto& found : there.matching(name, main_.empty())) {
      const fs::path place = (folder_ / found).lexically_normal();
      requireReplaceable(place);
      if (!main_.empty() && name != main_) requireOwn(place, folder_ / main_);
      if (!overwrite_) failExists(place);
    }
  }
}

fs::path StagedFiles::file(const fs::path& name) const {
  const fs::path path = staging_.path() / kNew / name;
  makeFolders(path.parent_path());
  return path;
}

std::vector<fs::path> StagedFiles::publish() {
  const fs::path fresh = staging_.path() / kNew;
  const Names names = filesIn(fresh);
  std::vector<fs::path> published;
  for (const auto& name : names) published.push_back(folder_ / name);
  // A disk handles many files at a time in hardly more time than one.
  const std::vector<fs::path> written(names.begin(), names.end());
  parallelFor(std::int64_t(written.size()), 1, {}, [&](std::int64_t i) {
    const fs::path& name = written[std::size_t(i)];
    if (const int code = flushToDisk(fresh / name)) failWriting(folder_ / name, code);
  });
  std::set<fs::path> folders;
  for (const auto& name : names) folders.insert((fresh / name).parent_path());
  for (const auto& folder : folders) flushToDisk(folder);
  const int code = isThere(folder_) ? EEXIST : renameTo(fresh, folder_, false);
  if (code != 0 && code != EEXIST) failWriting(folder_, code);
  if (code == EEXIST) {
    const FolderLock lock(folder_);
    requirePlaces(written);
    requirePublishable();
    const Names old = oldNames(names);
    if (!exchange(old)) moveEach(names, old);
    flushToDisk(folder_);
  }
  flushToDisk(folder_.parent_path());
  return published;
}

StagedFiles::Names StagedFiles::oldNames(const Names& names) const {
  Names old;
  Listing there(folder_);
  for (const auto& name : names_)
    for (auto& found : there.matching(name, main_.empty())) old.insert(std::move(found));
  for (const auto& name : names)
    if (isThere(folder_ / name)) old.insert(name);
  return old;
}

bool StagedFiles::mayReplace(const fs::path& path) const {
  const Names old = oldNames({});
  return std::any_of(old.begin(), old.end(), [&](const fs::path& name) {
    std::error_code fault;
    return fs::equivalent(folder_ / name, path, fault);
  });
}

bool StagedFiles::exchange(const Names& old) {
  const fs::path fresh = staging_.path() / kNew;
  if (!main_.empty() || staging_.path().parent_path() != folder_.parent_path() ||
      holdsCurrentFolder(folder_) || !permitAs(fresh, folder_))
    return false;
  const auto [linked, canLink] = linkOthers(folder_, fresh, old);
  if (!canLink || exchangePlaces(fresh, folder_) != 0) {
    std::error_code fault;
    for (const auto& name : linked) fs::remove(fresh / name, fault);
    return false;
  }
  // What others created there meanwhile is kept; the rest exists already.
  for (const auto& name : filesIn(fresh))
    if (!old.contains(name)) renameTo(fresh / name, folder_ / name, false);
  return true;
}

void StagedFiles::moveEach(const Names& names, const Names& old) {
  const fs::path fresh = staging_.path() / kNew, away = staging_.path() / kOld,
                 going = staging_.path() / kGoing;
  for (const auto& name : names) makeFolders((folder_ / name).parent_path());
  if (overwrite_) makeFolders(away);
  std::vector<fs::path> leaving(old.begin(), old.end()), coming(names.begin(), names.end());
  std::erase(leaving, main_);
  std::stable_partition(leaving.begin(), leaving.end(), isProvenance);
  std::stable_partition(coming.begin(), coming.end(), [&](const fs::path& name) { return name == main_; });
  std::stable_partition(coming.begin(), coming.end(),
                        [&](const fs::path& name) { return !isProvenance(name); });

  const auto moveBack = [&](auto end) {
    return std::all_of(
               coming.begin(), end,
               [&](const fs::path& moved) { return renameTo(folder_ / moved, going / moved, false) == 0; }) &&
           renameTo(going, fresh, false) == 0;
  };
  const auto settleOrKeep = [&] {
    if (!settle(staging_.path(), folder_)) staging_.keep();  // the next run tries again
  };

  for (const auto& name : leaving) {
    makeFolders((away / name).parent_path());
    if (const int code = renameTo(folder_ / name, away / name, true)) {
      settleOrKeep();
      failWriting(folder_ / name, code);
    }
  }
  if (const int code = renameTo(fresh, going, false)) {
    settleOrKeep();
    failWriting(folder_, code);
  }
  for (auto name = coming.begin(); name != coming.end(); ++name) {
    const int code = renameTo(going / *name, folder_ / *name, overwrite_);
    if (code == 0) continue;
    const bool oldScanIsGone = overwrite_ && !main_.empty() && name != coming.begin();
    const bool undone = !oldScanIsGone && moveBack(name);
    if (overwrite_ && undone)
      settleOrKeep();
    else if (overwrite_)
      staging_.keep();  // the next run finishes publishing
    if (code == EEXIST) failExists(folder_ / *name);
    failWriting(folder_ / *name, code);
  }
}

void writeStaged(const fs::path& to, std::string_view bytes) {
  Sink sink(to, to, Progress());
  sink.write(bytes);
  sink.close();
}

}  // namespace sulcus::io
