#include "core/io/export/slice_picture.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::io {
namespace {

/// The edges of a grid's bounding box along the axes of the scanner, mm.
Vec3<double> boxOf(const Grid& grid) {
  Vec3<double> box;
  for (int world = 0; world < 3; ++world)
    for (int axis = 0; axis < 3; ++axis)
      box[world] += std::abs(grid.worldFromVoxel.m[std::size_t(world)][std::size_t(axis)]) * grid.size[axis];
  return box;
}

/// Up to three values of each voxel, 0 to 255.
struct Shades {
  const Series<float>* series;
  Range range;
  int channels;

  std::uint8_t at(std::int64_t voxel, int channel) const {
    const float value = series->at(voxel, channels == 3 ? channel : 0);
    const double share = (double(value) - range.low) / (range.high - range.low);
    return std::isfinite(share) ? std::uint8_t(std::lround(255 * std::clamp(share, 0.0, 1.0))) : 0;
  }
};

}  // namespace

Picture slicePicture(const Layer& layer, int most) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  const auto* labels = std::get_if<LabelsLayer>(&layer.content);
  Series<float> ofLabels;
  if (labels) {
    ofLabels = Series<float>(labels->labels->grid, 1);
    std::copy(labels->labels->values.begin(), labels->labels->values.end(), ofLabels.values.begin());
  }
  if (!volume && !labels)
    throw Error("'" + layer.name + "' has no slice to show", "it holds " + kindWithArticle(layer),
                "choose an image");
  const Series<float>& series = labels ? ofLabels : *volume->series;
  const Grid& grid = series.grid;
  const bool colored = volume && volume->colors && series.count >= 3;
  const VolumeView<const float> first = series.volume(0);
  const Shades shades{&series,
                      colored ? Range{0, 255} : automaticRange({first.data, std::size_t(first.voxels())}),
                      colored ? 3 : 1};
  const Vec3<double> box = boxOf(grid), center = grid.center();
  const double pixel = std::max(box.x, box.y) / most;  // mm
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  Picture picture;
  picture.width = std::clamp(int(std::lround(box.x / pixel)), 1, most);
  picture.height = std::clamp(int(std::lround(box.y / pixel)), 1, most);
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column) {
      const Vec3<double> v =
          voxelFromWorld.point({center.x + (0.5 * picture.width - column - 0.5) * pixel,
                                center.y + (0.5 * picture.height - row - 0.5) * pixel, center.z});
      // The middle of an even number of slices lies between two of them.
      const Vec3<int> at{int(std::floor(v.x + 0.5)), int(std::floor(v.y + 0.5)), int(std::floor(v.z + 0.5))};
      for (int channel = 0; channel < 3; ++channel)
        picture.rgb.push_back(
            grid.contains(at.x, at.y, at.z) ? shades.at(grid.index(at.x, at.y, at.z), channel) : 0);
    }
  return picture;
}

}  // namespace sulcus::io
