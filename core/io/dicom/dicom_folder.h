#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <vector>

namespace sulcus::io {

/// All files below a folder that begin as DICOM, sorted. A folder is opened as DICOM by looking into all that
/// is below it, which for the root of a disk would not end: throws Error where it holds too much else.
std::vector<std::filesystem::path> dicomFilesBelow(const std::filesystem::path& folder,
                                                   const Progress& progress);

/// How many images of the series of `file` lie in its folder, itself among them; 1 where the folder holds too
/// much to look through on the way.
int imagesOfSeriesBeside(const std::filesystem::path& file);

}  // namespace sulcus::io
