#pragma once

#include "core/base/note.h"
#include "core/bids/name.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sulcus::bids {

/// One file of a data set.
struct File {
  std::filesystem::path folder;  ///< relative to the root, "" for the root itself
  Name name;
  std::string datatype;  ///< "anat", "func", "dwi", "fmap"; "" in higher folders
  bool present = true;   ///< false for a dangling link, as DataLad leaves them
};

/// A folder with a dataset_description.json, raw scans or derivatives.
struct Dataset {
  std::filesystem::path root;
  std::string name;
  bool derivative = false;
  std::vector<std::string> subjects;  ///< labels, sorted
  std::vector<File> files;            ///< scans, field maps and the files they inherit; sorted
  std::map<std::filesystem::path, std::vector<std::size_t>> inFolder;  ///< indices of the files of a folder
                                                                       ///< in `files`
  Notes notes;                                                         ///< about files that were left out

  std::filesystem::path pathOf(const File& file) const { return root / file.folder / file.name.text(); }
};

/// A data set and those that belong to it: the requested one first, then its derivatives, or the raw data
/// that a derivative was made from.
using Study = std::vector<Dataset>;

/// Reads the names of a study; no image is opened.
///
/// @param root   folder of raw scans or of derivatives of other programs, such as fMRIPrep and QSIPrep
/// @param check  whether the root must have a dataset_description.json with Name and BIDSVersion
/// @param leaveOut  a folder for results that is not one of its derivatives; "" for none
/// @throws Error  if it is not such a folder or has no participants
Study openStudy(const std::filesystem::path& root, bool check, const std::filesystem::path& leaveOut = {});

/// The files of `dataset` with this suffix and extension that apply to `scan` by the inheritance principle:
/// in its folder or above, without an entity that it lacks. Nearest first; within a folder the one with the
/// most entities first.
///
/// @param except  entities that need not match those of the scan
std::vector<const File*> inheritedBy(const File& scan, const Dataset& dataset, const std::string& suffix,
                                     const std::string& extension,
                                     const std::vector<std::string>& except = {});

}  // namespace sulcus::bids
