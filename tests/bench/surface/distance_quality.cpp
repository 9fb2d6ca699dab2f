// Signed distances compared with ITK's: the last table of "Surface: quality" in RESULTS.md.
#include "tests/bench/surface/distance_quality.h"

#include "core/base/stage_clock.h"
#include "core/toolkits/level_sets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <itkImage.h>
#include <itkReinitializeLevelSetImageFilter.h>
#include <itkSignedMaurerDistanceMapImageFilter.h>

namespace sulcus::bench {
namespace {

using FloatImage = itk::Image<float, 3>;
using MaskImage = itk::Image<std::uint8_t, 3>;

template <class Image, class T>
typename Image::Pointer imageOf(const Volume<T>& volume) {
  const auto image = Image::New();
  const Vec3<int> size = volume.grid.size;
  typename Image::SizeType region;
  for (unsigned a = 0; a < 3; ++a) region[a] = itk::SizeValueType(size[int(a)]);
  image->SetRegions(region);
  image->Allocate();
  std::copy(volume.values.begin(), volume.values.end(), image->GetBufferPointer());
  return image;
}

Volume<float> volumeOf(const FloatImage& image, const Grid& grid) {
  Volume<float> volume(grid);
  std::copy_n(image.GetBufferPointer(), volume.values.size(), volume.values.begin());
  return volume;
}

Volume<float> outsideByMaurer(const Mask& mask) {
  const auto filter = itk::SignedMaurerDistanceMapImageFilter<MaskImage, FloatImage>::New();
  filter->SetInput(imageOf<MaskImage>(mask));
  filter->SetSquaredDistance(false);
  filter->SetUseImageSpacing(true);
  filter->Update();
  return volumeOf(*filter->GetOutput(), mask.grid);
}

/// From center to center of the nearest voxel of the other kind, minus half a voxel.
Volume<float> byMaurer(const Mask& mask) {
  Mask inverse = mask;
  for (auto& v : inverse.values) v = v == 0;
  Volume<float> phi = outsideByMaurer(mask);
  const Volume<float> inside = outsideByMaurer(inverse);
  for (std::size_t i = 0; i < phi.values.size(); ++i)
    phi.values[i] = mask.values[i] ? 0.5f - inside.values[i] : phi.values[i] - 0.5f;
  return phi;
}

Volume<float> byFastMarching(const Volume<float>& image, float threshold) {
  Volume<float> level = image;
  for (auto& v : level.values) v = threshold - v;
  const auto filter = itk::ReinitializeLevelSetImageFilter<FloatImage>::New();
  filter->SetInput(imageOf<FloatImage>(level));
  filter->Update();
  return volumeOf(*filter->GetOutput(), image.grid);
}

template <class Make>
void row(const char* name, const Volume<float>& truth, const Make& make) {
  const StageClock clock;
  const Volume<float> phi = make();
  const double seconds = clock.seconds();
  std::printf("| %s |", name);
  for (const double near : {3.0, 5.0, 8.0}) {
    double squares = 0, largest = 0, count = 0;
    for (std::size_t i = 0; i < phi.values.size(); ++i) {
      if (std::abs(truth.values[i]) > near) continue;
      const double error = std::abs(double(phi.values[i]) - truth.values[i]);
      squares += error * error, largest = std::max(largest, error), ++count;
    }
    std::printf(" %.3f, %.2f |", std::sqrt(squares / count), largest);
  }
  std::printf(" %.2f |\n", seconds);
}

}  // namespace

void distanceTable(int size) {
  Grid grid;
  grid.size = {size, size, size};
  const double middle = 0.5 * (size - 1), radius = 0.32 * size;
  grid.worldFromVoxel.t = {0.2 - middle, 0.1 - middle, -0.3 - middle};
  Volume<float> truth(grid), image(grid);
  Mask mask(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const double phi = norm(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})) - radius;
    truth.values[std::size_t(i)] = float(phi);
    image.values[std::size_t(i)] = float(100 / (1 + std::exp(1.5 * phi)));
    mask.values[std::size_t(i)] = phi < 0;
  }
  std::printf(
      "\nSigned distance of a ball of radius %.1f voxels in %d³, off the middle of the grid; errors in "
      "voxels: root mean square, largest\n\n| | within 3 | within 5 | within 8 | s "
      "|\n|---|---|---|---|---|\n",
      radius, size);
  row("mask, Sulcus", truth, [&] { return toolkits::signedDistanceOfMask(mask, {}); });
  row("mask, ITK Maurer both ways, less half a voxel", truth, [&] { return byMaurer(mask); });
  row("image at 50, Sulcus", truth, [&] { return toolkits::signedDistanceOfImage(image, 50, {}); });
  row("image at 50, ITK fast marching", truth, [&] { return byFastMarching(image, 50); });
}

}  // namespace sulcus::bench
