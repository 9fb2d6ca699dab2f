#include "core/preparation/mean_volume.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/value_check.h"
#include "core/preparation/mean_of_seen.h"

#include <numeric>
#include <vector>

namespace sulcus::preparation {

Volume<float> meanOfVolumes(const Series<float>& series, std::span<const int> volumes,
                            const Progress& progress) {
  Volume<float> mean(series.grid);
  parallelFor(series.grid.voxels(), 4096, progress, [&](std::int64_t i) {
    MeanOfSeen one;
    for (const int v : volumes)
      if (isSound(series.at(i, v))) one.add(series.at(i, v));
    mean.values[i] = one.mean();
  });
  return mean;
}

Volume<float> meanOfSeries(const Series<float>& series, const Progress& progress) {
  std::vector<int> all(series.count);
  std::iota(all.begin(), all.end(), 0);
  return meanOfVolumes(series, all, progress);
}

Volume<float> withoutUnsound(Volume<float> image) {
  for (float& value : image.values)
    if (!isSound(value)) value = 0;
  return image;
}

}  // namespace sulcus::preparation
