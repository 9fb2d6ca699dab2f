#pragma once

#include "core/base/note.h"
#include "core/image/layer.h"
#include "core/io/volumes/raw_image.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// Fixels of MRtrix: directions of which each voxel has as many as it needs, in a folder of images. index.mif
// says how many a voxel has and which is its first one, directions.mif is n × 3 × 1, and any other image of
// n × p × 1 has p numbers for each. They may be .nii as well.
namespace sulcus::io {

/// The index of the fixels that a file belongs to; empty where there is none beside it, and for the index.
std::filesystem::path fixelIndexOf(const std::filesystem::path& file);
/// Whether the numbers of a file beside an index are those of fixels, not of voxels.
bool areFixels(const RawImage& raw);

/// The fixels as directions, as long as the numbers of `file` say, those of `raw`, or all of one length where
/// it holds the directions themselves. Opens the other images by `open`. `notes` become those of the index
/// and what is to be known of the fixels. Throws Error where the images do not fit together.
PeaksLayer fixelsOf(const RawImage& raw, const std::filesystem::path& file,
                    const std::filesystem::path& index,
                    const std::function<RawImage(const std::filesystem::path&)>& open, Notes& notes);

}  // namespace sulcus::io
