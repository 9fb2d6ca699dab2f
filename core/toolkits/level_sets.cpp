#include "core/toolkits/level_sets.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/value_check.h"
#include "core/levelset/signed_distance.h"
#include "core/toolkits/contour.h"

namespace sulcus::toolkits {
namespace {

Volume<float> distanceToContourOf(const Volume<float>& level, const Progress& progress) {
  const Mesh contour = contourOf(level, progress.part(0, 0.1, "Distance"));
  return levelset::signedDistanceOfContour(contour, level, progress.part(0.1, 1, ""));
}

}  // namespace

Volume<float> signedDistanceOfMask(const Mask& mask, const Progress& progress) {
  Volume<float> level(mask.grid);
  for (std::size_t i = 0; i < level.values.size(); ++i) level.values[i] = mask.values[i] ? -1.f : 1.f;
  return distanceToContourOf(level, progress);
}

Volume<float> signedDistanceOfImage(const Volume<float>& image, float threshold, const Progress& progress) {
  const float darkest = checkValues(image.values).low;
  Volume<float> level(image.grid);
  parallelFor(image.grid.voxels(), 1 << 16, progress.part(0, 0.05, "Distance"), [&](std::int64_t i) {
    const float value = image.values[std::size_t(i)];
    level.values[std::size_t(i)] = threshold - (isSound(value) ? value : darkest);
  });
  return distanceToContourOf(level, progress.part(0.05, 1, "Distance"));
}

Volume<float> redistanced(const Volume<float>& phi, const Progress& progress) {
  return distanceToContourOf(phi, progress);
}

}  // namespace sulcus::toolkits
