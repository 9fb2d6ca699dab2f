#pragma once

#include "core/io/volumes/raw_image.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace sulcus::io {

/// Reads the volumes of `image.series`, whose grid and count are set, a few megabytes at a time, and reports
/// the first one as soon as it is complete. Adds a note if numbers could not be preserved.
inline void readSeries(ByteSource& source, const NumberFormat& format, const TellFirst& first,
                       RawImage& image, const Progress& progress) {
  constexpr std::size_t kStep = (std::size_t(16) << 20) / sizeof(float);
  const auto voxels = std::size_t(image.series.grid.voxels());
  const std::size_t all = voxels * std::size_t(image.series.count);
  std::vector<float>& values = image.series.values;
  values.reserve(all);
  bool kept = true;
  while (values.size() < all) {
    const std::size_t begin = values.size();
    values.resize(begin == 0 && first ? voxels : std::min(all, begin + kStep));
    const Progress part = progress.part(double(begin) / double(all), double(values.size()) / double(all), "");
    kept = readSamples(source, format, std::span(values).subspan(begin), part) && kept;
    if (begin == 0 && first && image.series.count > 1) first(image.series.grid, values, image.series.count);
  }
  if (!kept) image.notes.push_back(Note::warning(kRoundedNote<float>));
}

}  // namespace sulcus::io
