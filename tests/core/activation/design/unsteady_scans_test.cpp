#include "core/activation/design/unsteady_scans.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

constexpr int kScans = 60;

/// A series of mean 1000 with waves of 1 %, whose first scans are multiplied by factors.
Series<float> seriesOf(const std::vector<float>& first) {
  Grid grid;
  grid.size = {6, 5, 4};
  Series<float> bold(grid, kScans);
  for (int t = 0; t < kScans; ++t)
    for (std::int64_t v = 0; v < grid.voxels(); ++v)
      bold.at(v, t) = float(1000 + 10 * std::sin(0.7 * t + double(v))) *
                      (t < int(first.size()) ? first[std::size_t(t)] : 1);
  return bold;
}

Design designWith(const std::vector<int>& marked) {
  Design design;
  design.matrix.setOnes(kScans, 2);
  for (int t = 0; t < kScans; ++t) design.matrix(t, 1) = std::sin(0.3 * t);
  design.confounds.setZero(kScans, Eigen::Index(marked.size()));
  for (std::size_t c = 0; c < marked.size(); ++c) design.confounds(marked[c], Eigen::Index(c)) = 1;
  design.names = {"intercept", "a"};
  return design;
}

TEST(UnsteadyWarning, IsOfFirstScansThatNothingTakesOut) {
  const auto bold = seriesOf({2.5F, 1.4F, 1.12F});
  EXPECT_NE(unsteadyWarning(bold, designWith({})).find("Of the first scans, 3 are far brighter"),
            std::string::npos)
      << unsteadyWarning(bold, designWith({}));
  EXPECT_NE(unsteadyWarning(bold, designWith({0, 1})).find("Of the first scans, 1 is"), std::string::npos);
  EXPECT_EQ(unsteadyWarning(bold, designWith({0, 1, 2})), "");
}

TEST(UnsteadyWarning, IsNotOfSteadySeries) {
  EXPECT_EQ(unsteadyWarning(seriesOf({}), designWith({})), "");
  EXPECT_EQ(unsteadyWarning(seriesOf({1.01F}), designWith({})), "") << "1 % is no more than drift";
}

}  // namespace
}  // namespace sulcus::activation
