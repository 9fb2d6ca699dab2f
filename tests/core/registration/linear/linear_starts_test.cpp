#include "core/registration/linear/linear_starts.h"

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

Eigen::Matrix3d matrixOf(const Matrix3& rows) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows[0].data());
}

TEST(Starts, TurnAndShift) {
  EXPECT_EQ(turnsAndShifts(3).size(), 27u * 7);
  EXPECT_EQ(turnsAndShifts(2).size(), 3u * 5);
  for (const Affine& map : turnsAndShifts(3)) EXPECT_NEAR(map.determinant(), 1, 1e-12);
}

TEST(Starts, OfShapeCarryOneCovarianceToTheOther) {
  ObjectFrame a, b;
  a.covariance = {{{3, 0.5, 0}, {0.5, 2, -0.4}, {0, -0.4, 1}}};
  b.covariance = {{{1, -0.2, 0.3}, {-0.2, 4, 0}, {0.3, 0, 2}}};
  for (const Affine& map : mapsOfShape(a, b))
    EXPECT_TRUE((matrixOf(map.m) * matrixOf(b.shape()) * matrixOf(map.m).transpose())
                    .isApprox(matrixOf(a.shape()), 1e-9));
}

TEST(BestOf, KeepsTheBetterOfTwoThatAreClose) {
  std::vector<MeasuredMap> maps(4);
  for (std::size_t i = 0; i < 4; ++i) maps[i].map.t.x = double(i), maps[i].at.value = i == 2 ? 5 : double(i);
  const auto best = bestOf(maps, 2, 1.5);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].map.t.x, 2);
  EXPECT_EQ(best[1].map.t.x, 0);
}

}  // namespace
}  // namespace sulcus::registration
