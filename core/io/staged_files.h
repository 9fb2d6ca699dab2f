#pragma once

#include "core/io/temporary.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace sulcus::io {

/// Files that belong together and appear together, when all of them are complete. They are written into a
/// hidden folder beside their place, and publish() puts them there; what was not published is removed again,
/// by the next run that writes there if this one is killed.
///
/// A folder of results is replaced in one step: by a rename where there is none yet, else by exchanging the
/// two folders, with the files that others put into it linked into the new one. At any moment it is wholly
/// old or wholly new. Where that cannot be (the file system has no exchange or no links, the folder is the
/// current one or a drive's root, or holds folders of others), and for the files beside a scan, one file
/// after the other is moved: first the old ones away (but for the scan itself, which is replaced in one
/// step), then the new ones in. If the run is killed in between, some of them are missing, but never are old
/// ones beside new ones, and none is lost: the next run that writes there first undoes what was begun, or
/// finishes it once the old ones were all away.
class StagedFiles {
 public:
  /// Results in a folder, made when it is missing. `names`: every file they may have, where `*` in the last
  /// part stands for any text; all that match belong to the old result. Throws Error when they could not be
  /// published: the folder is a file or cannot be written, a folder lies where a file is to be or the
  /// reverse, one of them is not replaceable (requireReplaceable()), or exists and `overwrite` is false.
  static StagedFiles results(const std::filesystem::path& folder, const std::vector<std::string>& names,
                             bool overwrite);
  /// A scan, table or surface and the files that lie beside it, in a folder that is there. With `overwrite`,
  /// old ones of `beside` that are not written anew are removed. Throws Error where one of them
  /// is there and belongs to another scan of the same stem, or, beside a scan, to no old `file`.
  static StagedFiles scan(const std::filesystem::path& file, const std::vector<std::filesystem::path>& beside,
                          bool overwrite);
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  /// Where to write the file that will be `name` in the folder; its own folder exists.
  std::filesystem::path file(const std::filesystem::path& name) const;
  /// Whether `path` is, by whatever name or link, one of the files that publish() may replace or remove.
  bool mayReplace(const std::filesystem::path& path) const;
  /// Puts everything to its place and returns the final paths. Throws Error, with nothing changed, when a
  /// file cannot be flushed to the disk, or somebody else made one of them meanwhile.
  std::vector<std::filesystem::path> publish();

 private:
  StagedFiles(std::filesystem::path folder, std::filesystem::path main,
              std::vector<std::filesystem::path> names, bool overwrite);
  using Names = std::set<std::filesystem::path>;
  void requirePublishable() const;
  void requirePlaceFor(const std::filesystem::path& name) const;
  Temporary makeStaging() const;
  Names oldNames(const Names& names) const;
  bool exchange(const Names& old);
  void moveEach(const Names& names, const Names& old);

  std::filesystem::path folder_, main_;  // main_: empty for a folder of results
  std::vector<std::filesystem::path> names_;
  bool overwrite_;
  Temporary staging_;
};

}  // namespace sulcus::io
