#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <vector>

namespace sulcus::io {

/// Unpacks the DICOM files of a ZIP archive into `folder` under numbered names: the names in the archive are
/// not used. Throws Error for an archive that is damaged, encrypted or split, for more than 100 000 files,
/// and if the folder has no room for what it announces.
std::vector<std::filesystem::path> unpackDicom(const std::filesystem::path& zip,
                                               const std::filesystem::path& folder, const Progress& progress);

}  // namespace sulcus::io
