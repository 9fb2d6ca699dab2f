#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace sulcus::io {

/// All files below a folder that begin as DICOM, sorted. All files below the folder are tested, which would
/// not end for the root of a disk: throws Error if it contains too many other files.
///
/// @param look  returns whether a file begins as DICOM; called once per file, on any thread
std::vector<std::filesystem::path> dicomFilesBelow(
    const std::filesystem::path& folder, const std::function<bool(const std::filesystem::path&)>& look,
    const Progress& progress);

/// The images that belong to the series of a file and lie in its folder, including the file itself.
struct SeriesBeside {
  int images = 1;
  bool all = true;  ///< the whole folder was searched; in a large one only the files near this one are
};
SeriesBeside seriesBeside(const std::filesystem::path& file);

}  // namespace sulcus::io
