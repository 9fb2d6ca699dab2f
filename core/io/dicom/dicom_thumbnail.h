#pragma once

#include "core/io/files.h"

#include <cstdint>
#include <vector>

namespace sulcus::io {

/// A small gray picture, rows from the top.
struct Thumbnail {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// The middle picture of a series as stored, with gray values between its 2nd and 98th percentile, at most
/// `most` pixels wide and high. Throws Error if the picture cannot be read.
Thumbnail thumbnailOf(const DicomSeries& series, int most, const Progress& progress = {});

}  // namespace sulcus::io
