#include "core/io/dicom/uneven_slices.h"

#include <gtest/gtest.h>

namespace sulcus::io {
namespace {

/// The position of a slice: along the normal and within its plane, mm.
constexpr double kPlaces[][3] = {{0, 0, 0}, {3, 1.5, -1}, {4, -0.7, 2}, {10, 0, 0}};

TEST(UnevenSlices, KeepWhatIsStraightInTheScanner) {
  Series<float> series(Grid{{12, 9, 4}, {}}, 2);
  Affine& map = series.grid.worldFromVoxel;
  map.m[0][0] = -1.5, map.m[1][1] = 2, map.m[2][2] = 10.0 / 3;
  map.t = {5, -7, 20};
  std::vector<Vec3<double>> origins;
  for (const auto& [along, x, y] : kPlaces) origins.push_back(map.t + Vec3<double>{x, y, along});
  const auto truth = [](const Vec3<double>& p, int v) { return 3 * p.x - 2 * p.y + (v + 1) * p.z; };
  for (int v = 0; v < 2; ++v)
    for (int s = 0; s < 4; ++s)
      for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 12; ++x)
          series.volume(v)(x, y, s) =
              float(truth(origins[std::size_t(s)] + Vec3<double>{-1.5 * x, 2.0 * y, 0}, v));
  const Series<float> even = onEvenSlices(series, origins);
  ASSERT_EQ(even.grid.size, (Vec3<int>{12, 9, 11})) << "slices of 1 mm";
  for (int v = 0; v < 2; ++v)
    for (int s = 0; s < 11; ++s)
      for (int y = 2; y < 7; ++y)
        for (int x = 2; x < 10; ++x)
          EXPECT_NEAR(even.volume(v)(x, y, s),
                      truth(even.grid.worldFromVoxel.point({double(x), double(y), double(s)}), v), 1e-4)
              << x << ' ' << y << ' ' << s;
}

TEST(UnevenSlices, AreAtMostThreeTimesAsMany) {
  Series<float> series(Grid{{2, 2, 4}, {}}, 1);
  series.grid.worldFromVoxel.m[2][2] = 10;
  const Series<float> even = onEvenSlices(series, {{0, 0, 0}, {0, 0, 0.1}, {0, 0, 12}, {0, 0, 30}});
  EXPECT_EQ(even.grid.size.z, 4) << "0.1 mm would be 301 slices, 11.9 mm is near a third of 30";
}

}  // namespace
}  // namespace sulcus::io
