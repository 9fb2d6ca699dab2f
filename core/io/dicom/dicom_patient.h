#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::io {

/// The names of the patients in a DICOM file or folder, each once, for display only: "Family, Given". They
/// are used and stored nowhere else. Empty if the files state none; throws Error if there is no DICOM file.
std::vector<std::string> patientNames(const std::filesystem::path& place, const Progress& progress);

}  // namespace sulcus::io
