#pragma once

#include "core/base/progress.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::io {

/// The beginning of the note in Layer::notes that marks images of DICOM.
inline constexpr const char kDicomNote[] = "Orientation from the DICOM headers";

/// The names of the patients in a DICOM file or in those of a folder, each once, for people to read: "Family,
/// Given". Nothing else reads them, and nothing keeps them. Empty where the files say none; throws Error
/// where there is no DICOM file.
std::vector<std::string> patientNames(const std::filesystem::path& place, const Progress& progress);

}  // namespace sulcus::io
