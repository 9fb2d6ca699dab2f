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

/// `share` (0…1) of the second color over the first one.
Color blended(Color below, Color above, double share);
/// The color of a value from −1 to 1: blue, white at 0, red.
Color divergingColor(double value);

/// Turns the values of an image into gray between their 2nd and 98th percentile, those that are 0 apart.
std::function<Color(std::int64_t voxel)> grays(std::span<const float> values);
/// Whether a voxel lies at the edge of what is above `level`: it is, and one of its six neighbors is not.
std::function<bool(std::int64_t voxel)> edges(VolumeView<const float> volume, float level);

/// Seven slices of each plane, in three rows: axial, coronal, sagittal. The patient's right is at the left,
/// front and head are at the top; in sagittal slices the front is at the left. The slices are evenly spaced
/// between the first and the last one with something to see.
///
/// @param seen  whether there is something to see in a voxel
io::Picture slices(const Grid& grid, const std::function<Color(std::int64_t voxel)>& colorOf,
                   const std::function<bool(std::int64_t voxel)>& seen);

/// A sentence for what stands below such a picture: which side is which, and whether the scan said so.
std::string sidesSentence(bool assumed);

}  // namespace sulcus::bids
