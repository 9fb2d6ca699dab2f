#include "core/io/dicom_thumbnail.h"

#include "core/image/layer.h"
#include "core/io/formats.h"

#include <algorithm>
#include <cmath>

namespace sulcus::io {

Thumbnail thumbnailOf(const DicomSeries& series, int most, const Progress& progress) {
  const RawImage image = readDicom({series.files.at(series.files.size() / 2)}, progress);
  const Vec3<int> size = image.series.grid.size;
  const VolumeView<const float> volume = image.series.volume(0);
  const float* const slice = volume.data + std::int64_t(size.z / 2) * size.x * size.y;
  const Range range = automaticRange({slice, std::size_t(size.x) * std::size_t(size.y)});
  const double step = std::max(1.0, double(std::max(size.x, size.y)) / most);
  Thumbnail picture;
  picture.width = std::max(1, int(size.x / step)), picture.height = std::max(1, int(size.y / step));
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const float value = slice[std::int64_t(y * step) * size.x + std::int64_t(x * step)];
      const double share = (double(value) - range.low) / (range.high - range.low);
      picture.pixels.push_back(
          std::isfinite(share) ? std::uint8_t(std::lround(255 * std::clamp(share, 0.0, 1.0))) : 0);
    }
  return picture;
}

}  // namespace sulcus::io
