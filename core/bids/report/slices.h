#pragma once

#include "core/image/volume.h"
#include "core/io/export/png.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

// Pictures of slices for reports.
namespace sulcus::bids {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Color&, const Color&) = default;
};

/// Blends `share` (0…1) of the second color over the first one.
Color blended(Color below, Color above, double share);
/// The color of a value from −1 to 1: blue, white at 0, red.
Color divergingColor(double value);

/// Maps the nonzero values of an image to gray between their 2nd and 98th percentile.
std::function<Color(std::int64_t voxel)> grays(std::span<const float> values);
/// Whether a voxel lies at the edge of what is above `level`: it is, but one of its six neighbors is not.
std::function<bool(std::int64_t voxel)> edges(VolumeView<const float> volume, float level);

/// Seven slices of each plane, in three rows: axial, coronal, sagittal. The patient's right is at the left,
/// front and head are at the top; in sagittal slices the front is at the left. The slices are evenly spaced
/// between the first and the last one with visible content.
///
/// @param seen  whether a voxel has visible content
io::Picture slices(const Grid& grid, const std::function<Color(std::int64_t voxel)>& colorOf,
                   const std::function<bool(std::int64_t voxel)>& seen);

/// The caption of such a picture: which side is which, and whether the scan said so.
std::string sidesSentence(bool assumed);

}  // namespace sulcus::bids
