#pragma once

#include "core/base/host_device.h"
#include "core/image/volume.h"

namespace sulcus::smooth {

/// The mean of the voxels in the image at most `radius` from voxel `i` along each axis.
SULCUS_HD inline float meanAround(VolumeView<const float> image, std::int64_t i, int radius) {
  const int x = int(i % image.size.x), y = int(i / image.size.x % image.size.y),
            z = int(i / image.size.x / image.size.y);
  float sum = 0;
  int count = 0;
  for (int k = z - radius; k <= z + radius; ++k)
    for (int j = y - radius; j <= y + radius; ++j)
      for (int h = x - radius; h <= x + radius; ++h) {
        const bool inside =
            h >= 0 && j >= 0 && k >= 0 && h < image.size.x && j < image.size.y && k < image.size.z;
        if (!inside) continue;
        sum += image.data[h + std::int64_t(image.size.x) * (j + std::int64_t(image.size.y) * k)];
        ++count;
      }
  return sum / float(count);
}

}  // namespace sulcus::smooth
