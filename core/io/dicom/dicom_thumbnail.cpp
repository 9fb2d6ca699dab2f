#include "core/io/dicom/dicom_thumbnail.h"

#include "core/image/layer.h"
#include "core/io/dicom/dicom_image.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sulcus::io {

Thumbnail thumbnailOf(const DicomSeries& series, int most, const Progress& progress) {
  const std::filesystem::path& file = series.files.at(series.files.size() / 2);
  ByteSource source(file);
  const DicomHeader header = readDicomHeader(source, file);
  const DicomImage image = dicomImageOf(header, file);
  const std::size_t numbers = std::size_t(image.pixels()) * (image.colors ? 3 : 1);
  std::vector<float> slice(numbers);
  DicomDecoder decoder;
  int next = 0;
  const auto take = [&](std::span<const char> stored) {
    if (next++ == image.frames / 2) detail::convert<float>(image.type, stored.data(), false, {}, slice);
  };
  readDicomFrames(source, file, header, image, {std::bind_front(&DicomDecoder::decode, &decoder), take},
                  progress);
  const Vec3<int> size{image.columns, image.rows, 1};
  if (image.colors)  // the green channel
    for (std::size_t i = 0; i < image.pixels(); ++i) slice[i] = slice[3 * i + 1];
  slice.resize(std::size_t(image.pixels()));
  const Range range = automaticRange(slice);
  const double step = std::max(1.0, double(std::max(size.x, size.y)) / most);
  Thumbnail picture;
  picture.width = std::max(1, int(size.x / step));
  picture.height = std::max(1, int(size.y / step));
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
