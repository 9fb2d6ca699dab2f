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
  std::filesystem::path folder;  ///< below the root, "" for the root itself
  Name name;
  std::string datatype;  ///< "anat", "func", "dwi", "fmap"; "" in the folders above
  bool present = true;   ///< false for a link that leads nowhere, as DataLad leaves them
};

/// A folder with a dataset_description.json, raw scans or derivatives.
struct Dataset {
  std::filesystem::path root;
  std::string name;
  bool derivative = false;
  std::vector<std::string> subjects;  ///< labels, sorted
  std::vector<File> files;            ///< of scans and field maps, and what they inherit; sorted
  std::map<std::filesystem::path, std::vector<std::size_t>> inFolder;  ///< their indices in `files`
  Notes notes;  ///< sentences on files that were left out

  std::filesystem::path pathOf(const File& file) const { return root / file.folder / file.name.text(); }
};

/// A data set and those that belong to it: the requested one first, then its derivatives, or the
/// raw data that a derivative was made of.
using Study = std::vector<Dataset>;

/// Reads the names of a study; no image is opened.
///
/// @param root   folder of raw scans or of derivatives of other programs, such as fMRIPrep and QSIPrep
/// @param check  whether the root must have a dataset_description.json with Name and BIDSVersion
/// @param leaveOut  a folder that is none of its derivatives, where results go; "" for none
/// @throws Error  when it is no such folder or has no subjects
Study openStudy(const std::filesystem::path& root, bool check, const std::filesystem::path& leaveOut = {});

/// The files of `dataset` with this suffix and extension that apply to `scan` by the inheritance principle:
/// in its folder or above, without an entity that it lacks. The nearest first; of one folder the one with the
/// most entities.
///
/// @param except  entities that need not be those of the scan
std::vector<const File*> inheritedBy(const File& scan, const Dataset& dataset, const std::string& suffix,
                                     const std::string& extension,
                                     const std::vector<std::string>& except = {});

}  // namespace sulcus::bids
