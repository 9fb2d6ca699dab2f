#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"
#include "core/io/streams/temporary.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::io {

/// Files that belong together and appear together when all of them are complete. They are written into a
/// hidden staging folder next to their destination, and publish() moves them there. Files that were not
/// published are removed, or, if this run is killed, by the next run that writes there.
///
/// A folder of results is replaced atomically. A new folder is renamed; an existing one is exchanged with the
/// staging folder, after other files in it have been linked into the new one. So at any moment the folder is
/// entirely old or entirely new.
///
/// Files are moved one by one for the files next to a scan, and if an exchange is not possible because the
/// file system supports no exchange or no links, or because the folder is the current one or the root of a
/// drive or contains other folders. The old files are moved away first, except the scan itself, which is
/// replaced atomically, and then the new ones are moved in. If the run is killed in between, some files are
/// missing, but old and new ones are never mixed and none is lost: the next run that writes there undoes what
/// was begun, or finishes it if all old files were moved away.
class StagedFiles {
 public:
  /// Stages results in a folder, which is created if missing. `names` are all files that results may have,
  /// where `*` in the last part stands for any text; all existing files that match belong to the old result.
  /// Throws Error if they could not be published: if the folder is a file or not writable, if there is a
  /// folder in place of a file or a file in place of a folder, if one of them is not replaceable
  /// (requireReplaceable()), or if one exists and `overwrite` is false.
  static StagedFiles results(const std::filesystem::path& folder, const std::vector<std::string>& names,
                             bool overwrite);
  /// Stages a scan, table or surface and the files next to it, in an existing folder. With `overwrite`, old
  /// files of `beside` that are not written again are removed. Throws Error if one of them exists and belongs
  /// to another scan with the same stem or, next to a scan, if there is no old `file` that it belongs to.
  static StagedFiles scan(const std::filesystem::path& file, const std::vector<std::filesystem::path>& beside,
                          bool overwrite);
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// The path at which to write the file that will be `name` in the folder. Its parent folder exists.
  std::filesystem::path file(const std::filesystem::path& name) const;
  /// Whether `path` is one of the files that publish() may replace or remove, under any name or link.
  bool mayReplace(const std::filesystem::path& path) const;
  /// Moves all files to their destination and returns their final paths. Throws Error and changes nothing if
  /// a file cannot be flushed to the disk or another process created one of them meanwhile.
  std::vector<std::filesystem::path> publish();

 private:
  StagedFiles(std::filesystem::path folder, std::filesystem::path main,
              std::vector<std::filesystem::path> names, bool overwrite);
  using Names = std::set<std::filesystem::path>;
  void requirePublishable() const;
  void requirePlaces(const std::vector<std::filesystem::path>& names) const;
  Temporary makeStaging() const;
  Names oldNames(const Names& names) const;
  bool exchange(const Names& old);
  void moveEach(const Names& names, const Names& old);

  std::filesystem::path folder_, main_;  // main_ is empty for a folder of results
  std::vector<std::filesystem::path> names_;
  bool overwrite_;
  Temporary staging_;
};

/// Writes a file at a path from StagedFiles, which flushes it to the disk on publishing.
void writeStaged(const std::filesystem::path& to, std::string_view bytes);
/// Writes a layer, with the files next to it, into a folder that has none of them.
void writeStaged(const std::filesystem::path& to, const Layer& layer, const Progress& progress);

}  // namespace sulcus::io
