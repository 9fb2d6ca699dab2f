#include "ui/scene/slices/plane_values.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "ui/scene/glyphs/field_shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui::scene {
namespace {

/// The pixels of a row inside the image: from `first` up to but not including `last`.
std::pair<int, int> insideOf(const Vec3<int>& size, const Vec3<double>& begin, const Vec3<double>& step,
                             int width) {
  double first = 0, last = width - 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = -0.5 - begin[axis], high = size[axis] - 0.5 - begin[axis];
    if (std::abs(step[axis]) < 1e-12) {
      if (low > 0 || high < 0) return {0, 0};
      continue;
    }
    const double a = low / step[axis], b = high / step[axis];
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  // Rounding errors of the division do not matter, since the cells end at the border.
  const double from = std::min(std::ceil(first - 1e-9), double(width));  // a row may miss the image
  return {int(from), int(std::clamp(std::floor(last + 1e-9) + 1, from, double(width)))};
}

/// Pixels first … last − 1 of a row that follows one voxel axis. Positions in voxels.
struct AxisRow {
  Vec3<double> begin, step;
  int axis, first, last;
};

/// Linear interpolation: along the other two axes it is done once for each voxel of the row, not for each
/// pixel. `line`: working memory.
void sampleRow(const float* data, const Vec3<int>& size, const AxisRow& pixels, float* row,
               std::vector<float>& line) {
  const Vec3<double>&begin = pixels.begin, &step = pixels.step;
  const int axis = pixels.axis, first = pixels.first, last = pixels.last;
  const std::int64_t strides[3] = {1, size.x, std::int64_t(size.x) * size.y};
  const float* p = data;
  std::int64_t next[2];
  float share[2];
  for (int i = 0; i < 2; ++i) {
    const int other = (axis + 1 + i) % 3;
    const float place = clampedToAxis(float(begin[other]), size[other]);
    const int lower = lowerVoxel(place, size[other]);
    p += lower * strides[other];
    next[i] = size[other] > 1 ? strides[other] : 0;
    share[i] = place - float(lower);
  }
  const int n = size[axis];
  const auto placeOf = [&](int i) { return clampedToAxis(float(begin[axis] + i * step[axis]), n); };
  const auto [low, high] = std::minmax({lowerVoxel(placeOf(first), n), lowerVoxel(placeOf(last - 1), n)});
  const int end = std::min(high + 1, n - 1);
  line.resize(std::size_t(end - low) + 1);
  for (int k = low; k <= end; ++k) {
    const float* const q = p + k * strides[axis];
    line[std::size_t(k - low)] =
        interpolatedBetween(share[1], interpolatedBetween(share[0], q[0], q[next[0]]),
                            interpolatedBetween(share[0], q[next[1]], q[next[1] + next[0]]));
  }
  for (int i = first; i < last; ++i) {
    const float place = placeOf(i);
    const int k = lowerVoxel(place, n);
    row[i] = interpolatedBetween(place - float(k), line[std::size_t(k - low)],
                                 line[std::size_t(std::min(k + 1, n - 1) - low)]);
  }
}

/// The voxel axis that a step follows, or −1 if there is none.
int axisOf(const Vec3<double>& step) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(step[(axis + 1) % 3]) < 1e-9 && std::abs(step[(axis + 2) % 3]) < 1e-9) return axis;
  return -1;
}

template <class T>
T nearest(const T* data, const Vec3<int>& size, float x, float y, float z) {
  const auto at = [](float p, int n) { return std::clamp(int(std::floor(p + 0.5f)), 0, n - 1); };
  return data[at(x, size.x) + std::int64_t(size.x) * (at(y, size.y) + std::int64_t(size.y) * at(z, size.z))];
}

/// Red, green, blue and opacity of a color image at a position in voxels.
void colorAt(const Series<float>& series, const Vec3<double>& v, bool between, unsigned char* rgba) {
  const Vec3<int>& size = series.grid.size;
  rgba[3] = 255;
  for (int c = 0; c < series.count; ++c) {
    const float* const data = series.volume(c).data;
    const float value = between ? interpolated(data, cellAt(size, float(v.x), float(v.y), float(v.z)))
                                : nearest(data, size, float(v.x), float(v.y), float(v.z));
    rgba[c] = static_cast<unsigned char>(std::clamp(std::nearbyint(value), 0.0F, 255.0F));
  }
}

/// A raster in voxels of an image.
struct VoxelRaster {
  VoxelRaster(const Grid& grid, const PlaneRaster& raster)
      : size(grid.size), width(raster.width), height(raster.height) {
    const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
    origin = voxelFromWorld.point(raster.origin);
    right = voxelFromWorld.vector(raster.right);
    up = voxelFromWorld.vector(raster.up);
  }

  /// Calls `fillRow(row, left, first, last, line)` for each row, for its pixels inside the image; the others
  /// get no value. `line`: working memory of a thread.
  template <class FillRow>
  void fillRows(float* values, const FillRow& fillRow) const {
    parallelForBlocks(height, kRowsPerBlock, Progress(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line;
      for (std::int64_t j = begin; j < end; ++j) {
        float* const row = values + j * width;
        const Vec3<double> left = origin + double(j) * up;
        const auto [first, last] = insideOf(size, left, right, width);
        std::fill(row, row + first, kNoValue);
        if (first < last) fillRow(row, left, first, last, line);
        std::fill(row + last, row + width, kNoValue);
      }
    });
  }

  Vec3<int> size;
  int width, height;
  Vec3<double> origin, right, up;  ///< of the lower left pixel; from one pixel to the next
};

}  // namespace

void fillPlane(const Layer& layer, int shown, bool between, const FieldStyle& style,
               const PlaneRaster& raster, PlaneValues& plane) {
  auto& [values, ofLabels, rgba] = plane;
  values.resize(std::size_t(raster.width) * std::size_t(raster.height));
  ofLabels.clear();
  rgba.clear();
  const Grid& grid = *gridOf(layer);
  const VoxelRaster voxels(grid, raster);
  const Vec3<double>& right = voxels.right;
  const auto fillRows = [&](auto&& fillRow) { voxels.fillRows(values.data(), fillRow); };
  const auto fill = [&](auto&& valueOf) {
    fillRows([&](float* row, const Vec3<double>& left, int first, int last, auto&) {
      for (int i = first; i < last; ++i) row[i] = valueOf(left + double(i) * right);
    });
  };
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) {
    const FieldSampler sampler(*field->displacement, style.withoutAffine);
    return fill([&](const Vec3<double>& v) { return float(norm(sampler.at(v))); });
  }
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    ofLabels.assign(values.size(), 0);
    const Label* const data = labels->labels->values.data();
    return fillRows([&](float* row, const Vec3<double>& left, int first, int last, auto&) {
      Label* const ids = plane.labels.data() + (row - plane.values.data());
      for (int i = first; i < last; ++i) {
        const Vec3<double> v = left + double(i) * right;
        ids[i] = nearest(data, grid.size, float(v.x), float(v.y), float(v.z));
        row[i] = float(ids[i]);
      }
    });
  }
  const auto& volume = std::get<VolumeLayer>(layer.content);
  const Series<float>& series = *volume.series;
  if (volume.colors) {
    rgba.resize(4 * values.size());
    return fillRows([&](float* row, const Vec3<double>& left, int first, int last, auto&) {
      unsigned char* const pixels = plane.rgba.data() + 4 * (row - plane.values.data());
      for (int i = first; i < last; ++i) {
        row[i] = 0;
        colorAt(series, left + double(i) * right, between, pixels + 4 * i);
      }
    });
  }
  const float* const data = series.volume(std::clamp(shown, 0, series.count - 1)).data;
  if (!between) {
    fill([data, size = grid.size](const Vec3<double>& v) {
      return nearest(data, size, float(v.x), float(v.y), float(v.z));
    });
  } else if (const int axis = axisOf(right); axis >= 0) {
    fillRows([&](float* row, const Vec3<double>& left, int first, int last, std::vector<float>& line) {
      sampleRow(data, grid.size, {left, right, axis, first, last}, row, line);
    });
  } else {
    fill([data, size = grid.size](const Vec3<double>& v) {
      return interpolated(data, cellAt(size, float(v.x), float(v.y), float(v.z)));
    });
  }
}

Label labelAt(const Volume<Label>& labels, const PlaneRaster& raster, int i, int j) {
  const Vec3<double> v = labels.grid.worldFromVoxel.inverse().point(raster.origin + double(i) * raster.right +
                                                                    double(j) * raster.up);
  if (!isInImage(labels.grid.size, v)) return 0;
  return nearest(labels.values.data(), labels.grid.size, float(v.x), float(v.y), float(v.z));
}

}  // namespace sulcus::ui::scene
