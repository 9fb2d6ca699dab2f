#include "core/activation/design/dropped_scans.h"

#include "core/math/linear_algebra.h"
#include "tests/core/activation/tables.h"

#include <random>

#include <Eigen/QR>

namespace sulcus::activation {
namespace {

using namespace test;

Design designOf(int scans) {
  Layer confounds = tableOf({"motion"}, wavesOf(scans, 1));
  auto rows = wavesOf(scans, 4);
  for (auto& row : rows) row.erase(row.begin(), row.begin() + 2);
  return makeDesign(tableOf({"a", "b"}, rows), &confounds, 0, scans, {});
}

/// Least squares of y on these columns.
Eigen::VectorXd fitted(const Eigen::MatrixXd& columns, const Eigen::VectorXd& y) {
  return columns.colPivHouseholderQr().solve(y);
}

TEST(DroppedScans, CountForNothing) {
  const Design whole = designOf(30), design = withoutScans(whole, {0, 7, 29});
  EXPECT_EQ(design.confoundNames,
            (std::vector<std::string>{"motion", "dropped_0", "dropped_7", "dropped_29"}));
  EXPECT_NE(joined(design.notes).find("3 volumes of 30 left out as asked (0,7,29, counted from 0)."),
            std::string::npos);
  checkDesign(design, 30);
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  Eigen::VectorXd y(30);
  for (double& value : y) value = normal(random);
  const Eigen::MatrixXd all = whole.allColumns();
  std::vector<int> kept;
  for (int t = 0; t < 30; ++t)
    if (t != 0 && t != 7 && t != 29) kept.push_back(t);
  const Eigen::VectorXd expected =
      fitted(columnsOf(all.transpose(), kept).transpose(), Eigen::VectorXd(y(kept))).head(3);
  y[0] = 1e6, y[7] = -1e5, y[29] = 0;
  const Eigen::VectorXd found = fitted(design.allColumns(), y).head(3);
  EXPECT_LT((found - expected).norm(), 1e-8);
}

TEST(DroppedScans, ThatAConfoundTakesOutGetNoOther) {
  Design design = withoutScans(designOf(30), {7});
  design = withoutScans(std::move(design), {7, 8});
  EXPECT_EQ(design.confoundNames, (std::vector<std::string>{"motion", "dropped_7", "dropped_8"}));
}

TEST(DroppedScans, LeaveEnoughOfEachRun) {
  const Design two = joinRuns({designOf(12), designOf(12)});
  EXPECT_NE(test::errorOf([&] {
              withoutScans(two, {12, 13, 14, 15, 16, 17, 18, 19, 20});
            }).find("3 scans are left of a run"),
            std::string::npos);
  const std::string one = test::errorOf([&] { withoutScans(two, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}); });
  EXPECT_NE(one.find("1 scan is left of a run"), std::string::npos) << one;
  EXPECT_NE(one.find("raise the largest displacement"), std::string::npos)
      << one;  // by which volumes drop, too
}

TEST(DroppedScans, AreFilledByTheNearestOfTheirRun) {
  Grid grid;
  grid.size = {2, 1, 1};
  auto bold = std::make_shared<Series<float>>(grid, 8);
  for (int v = 0; v < 8; ++v) bold->at(0, v) = float(v), bold->at(1, v) = float(10 * v);
  const auto filled = withoutScans(bold, {0, 1, 4, 6}, {{0, 4}, {4, 8}});
  for (const auto& [scan, from] : {std::pair{0, 2}, {1, 2}, {2, 2}, {4, 5}, {6, 5}, {7, 7}}) {
    EXPECT_EQ(filled->at(0, scan), float(from)) << scan;
    EXPECT_EQ(filled->at(1, scan), float(10 * from)) << scan;
  }
  EXPECT_EQ(withoutScans(bold, {}, {{0, 8}}), bold) << "no copy";
}

}  // namespace
}  // namespace sulcus::activation
