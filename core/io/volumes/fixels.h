#pragma once

#include "core/base/note.h"
#include "core/image/layer.h"
#include "core/io/volumes/raw_image.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// Fixels of MRtrix: a variable number of directions per voxel, in a folder of images. index.mif gives the
// number of fixels of each voxel and the index of its first one, directions.mif is n × 3 × 1, and any other
// image of n × p × 1 has p numbers per fixel. They may also be .nii.
namespace sulcus::io {

/// The index of the fixels that a file belongs to; empty if there is none beside it, and for the index
/// itself.
std::filesystem::path fixelIndexOf(const std::filesystem::path& file);
/// Whether the numbers of a file beside an index belong to fixels, not to voxels.
bool areFixels(const RawImage& raw);

/// The fixels as directions whose lengths are the values `raw` of `file`, or 1 if it holds the directions
/// themselves. Opens the other images by `open`. `notes` are replaced by those of the index, with notes on
/// the fixels. Throws Error if the images do not fit together.
PeaksLayer fixelsOf(const RawImage& raw, const std::filesystem::path& file,
                    const std::filesystem::path& index,
                    const std::function<RawImage(const std::filesystem::path&)>& open, Notes& notes);

}  // namespace sulcus::io
