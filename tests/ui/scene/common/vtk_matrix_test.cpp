#include "ui/scene/common/vtk_matrix.h"

#include <gtest/gtest.h>
#include <vtkMatrix4x4.h>

namespace sulcus::ui::scene {
namespace {

TEST(VtkMatrix, CarriesTheWholeAffine) {
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
