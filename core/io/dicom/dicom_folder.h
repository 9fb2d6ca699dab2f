#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace sulcus::io {

/// All files below a folder that begin as DICOM, sorted. A folder is opened as DICOM by looking into all that
/// is below it, which for the root of a disk would not end: throws Error where it holds too much else.
///
/// @param look  says whether a file begins as DICOM; any thread asks it, once of each file
std::vector<std::filesystem::path> dicomFilesBelow(
    const std::filesystem::path& folder, const std::function<bool(const std::filesystem::path&)>& look,
    const Progress& progress);

/// The images of the series of a file that lie in its folder, itself among them.
struct SeriesBeside {
  int images = 1;
  bool all = true;  ///< the whole folder was looked through: a large one is only near the file
};
SeriesBeside seriesBeside(const std::filesystem::path& file);

}  // namespace sulcus::io
