#include "ui/scene/image_data.h"

#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>

namespace sulcus::ui::scene {
namespace {

TEST(ImageData, LooksAtTheChosenVolumeWithoutACopy) {
  Grid grid;
  grid.size = {3, 4, 5};
  const Series<float> series(grid, 4, 1.5f);
  const auto image = imageOf(series, 2);
  EXPECT_EQ(image->GetScalarPointer(), series.values.data() + 2 * 60);
  EXPECT_EQ(image->GetNumberOfPoints(), 60);
  EXPECT_EQ(image->GetDimensions()[2], 5);
}

TEST(ImageData, LeavesTheValuesToTheirOwner) {
  Grid grid;
  grid.size = {2, 2, 2};
  Volume<std::int32_t> labels(grid, 7);
  EXPECT_EQ(imageOf(labels)->GetScalarPointer(), labels.values.data());
  EXPECT_EQ(labels.values[5], 7);  // the image is gone; a sanitizer would see a second free
}

TEST(ImageData, CarriesTheWholeAffineInItsMatrix) {
  Affine affine;
  affine.m = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}};
  affine.t = {-1, -2, -3};
  const auto matrix = matrixOf(affine);
  const double in[4] = {1, -2, 0.5, 1};
  double out[4];
  matrix->MultiplyPoint(in, out);
  const Vec3<double> expected = affine.point({1, -2, 0.5});
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(out[i], expected[i]);
}

}  // namespace
}  // namespace sulcus::ui::scene
