#include "core/image/grids/image_algebra.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/interpolate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sulcus {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t kVoxelsAtATime = 4096;

/// The interpolated value of a volume at a position in voxels; NaN outside.
float sampled(const VolumeView<const float>& image, const Vec3<double>& v) {
  if (!isInImage(image.size, v)) return kNoValue;
  return interpolated(image.data, cellAt(image.size, float(v.x), float(v.y), float(v.z)));
}

/// A map that is visible at first, since the user asked for it.
Layer shownMap(std::string name, std::string unit, std::string colormap, Series<float> values) {
  Layer map = mapLayer(std::move(name), std::move(unit), std::move(colormap), std::move(values));
  map.display.visible = true;
  return map;
}

const Series<float>& seriesOf(const Layer& layer) {
  const Series<float>& series = *volumeOf(layer, "series").series;
  if (series.count < 2)
    throw Error("'" + layer.name + "' is not a series", "it has one volume",
                "choose an image of several volumes");
  return series;
}

/// The result of `summary` for each voxel, given its mean, its sum of squared deviations from the mean and
/// the number of its values that are not NaN.
template <class Summary>
Series<float> summarized(const Series<float>& series, const Progress& progress, Summary&& summary) {
  Series<float> map(series.grid, 1);
  parallelForBlocks(series.grid.voxels(), kVoxelsAtATime, progress,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        double mean = 0, squares = 0;
                        int count = 0;
                        for (int v = 0; v < series.count; ++v) {  // Welford's method
                          const double value = series.at(i, v);
                          if (!std::isfinite(value)) continue;
                          const double from = value - mean;
                          mean += from / ++count;
                          squares += from * (value - mean);
                        }
                        map.at(i, 0) = summary(mean, squares, count);
                      }
                    });
  return map;
}

}  // namespace

Series<float> onGrid(const Series<float>& series, int volume, const Grid& grid, const Progress& progress) {
  const auto from = series.volume(volume);
  const bool same = sameGrid(series.grid, grid);
  const Affine imageFromGrid = series.grid.worldFromVoxel.inverse() * grid.worldFromVoxel;
  Series<float> taken(grid, 1);
  parallelForBlocks(grid.voxels(), kVoxelsAtATime, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<int> v = grid.voxel(i);
      taken.at(i, 0) =
          same ? from.data[i] : sampled(from, imageFromGrid.point({double(v.x), double(v.y), double(v.z)}));
    }
  });
  return taken;
}

Layer differenceOf(const Layer& image, int volume, const Layer& other, int otherVolume,
                   const Progress& progress) {
  const Series<float>&a = *volumeOf(image, "image").series, &b = *volumeOf(other, "image").series;
  const auto minus = b.volume(std::clamp(otherVolume, 0, b.count - 1));
  Series<float> difference = onGrid(a, std::clamp(volume, 0, a.count - 1), b.grid, progress);
  for (std::int64_t i = 0; i < b.grid.voxels(); ++i) difference.at(i, 0) -= minus.data[i];
  const Range range = symmetricRange(difference.values);
  Layer map = shownMap(image.name + " \xE2\x88\x92 " + other.name, image.unit == other.unit ? image.unit : "",
                       "cool-warm", std::move(difference));
  map.display.range = range;
  if (!sameGrid(a.grid, b.grid))
    map.notes.push_back(image.name + " was resampled to the grid of " + other.name + ", linearly.");
  map.notes.push_back("Values are subtracted as they are.");
  return map;
}

Layer meanOf(const Layer& layer, const Progress& progress) {
  Series<float> map = summarized(seriesOf(layer), progress, [](double mean, double, int count) {
    return count > 0 ? float(mean) : kNoValue;
  });
  return shownMap("mean of " + layer.name, layer.unit, "gray", std::move(map));
}

Layer deviationOf(const Layer& layer, const Progress& progress) {
  Series<float> deviation = summarized(seriesOf(layer), progress, [](double, double squares, int count) {
    return count > 1 ? float(std::sqrt(squares / (count - 1))) : kNoValue;
  });
  return shownMap("s.d. of " + layer.name, layer.unit, "viridis", std::move(deviation));
}

}  // namespace sulcus
