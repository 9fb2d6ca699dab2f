#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"
#include "core/io/raw_image.h"

#include <filesystem>

// One reader and one writer per format; openVolume and saveLayer choose among them.
namespace sulcus::io {

/// NIfTI-1/2 and Analyze, any of the two files of a pair. Throws Error, Cancelled.
RawImage readNifti(const std::filesystem::path& file, ReadAs as, const Progress& progress);
/// NIfTI-1 (NIfTI-2 where a side exceeds 32 767 voxels), gzip when the name ends in .gz. Writes to `file` as
/// named.
void writeNifti(const Layer& layer, const std::filesystem::path& file);

/// The other file of a pair: NAME.hdr of NAME.img (also with .gz).
std::filesystem::path niftiPartner(const std::filesystem::path& file, const char* extension);

}  // namespace sulcus::io
