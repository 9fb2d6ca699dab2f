#pragma once

#include <filesystem>

namespace sulcus::io {

/// Walks through the elements of a DICOM file and throws Error unless every one lies within it. GDCM ends the
/// program (assert) at files that are cut or damaged, so none is handed to it before this.
void requireWholeDicom(const std::filesystem::path& file);

}  // namespace sulcus::io
