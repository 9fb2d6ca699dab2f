#include "core/preparation/preparation.h"

#include "core/phantom/moved_head.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

namespace sulcus::preparation {
namespace {

/// Two runs; the first volume of each is brighter, and the head moves abruptly in the second.
std::shared_ptr<const Series<float>> twoRuns() {
  phantom::MovedHead head;
  head.noise = 0.5;
  head.size = {32, 38, 20}, head.spacing = {5.2, 5.2, 6};
  std::vector<Motion> motion(24);
  for (std::size_t v = 18; v < motion.size(); ++v) motion[v] = {{1, 0, 0.5}, {0, 0.01, 0}};
  auto series = std::make_shared<Series<float>>(head.scan(motion));
  for (const int v : {0, 12})
    for (std::int64_t i = 0; i < series->grid.voxels(); ++i) series->at(i, v) *= 1.3f;
  return series;
}

std::vector<std::string> column(const TableLayer& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  std::vector<std::string> cells;
  if (found != table.columns.end())
    for (const auto& row : table.rows) cells.push_back(row[std::size_t(found - table.columns.begin())]);
  return cells;
}

TEST(Preparation, GivesTheConfoundsOfTwoRuns) {
  const PreparedSeries prepared = prepareSeries({twoRuns(), {{0, 12}, {12, 24}}}, kOnProcessor, {});
  const TableLayer table = confoundsTable(prepared);
  ASSERT_EQ(table.rows.size(), 24u);
  const auto displacement = column(table, "framewise_displacement");
  EXPECT_EQ(displacement[0], "n/a");
  EXPECT_EQ(displacement[12], "n/a");
  EXPECT_NEAR(std::stod(displacement[18]), 1 + 0.5 + 0.5, 0.1);
  EXPECT_LT(std::stod(displacement[20]), 0.1);
  EXPECT_EQ(column(table, "motion_outlier00")[18], "1");
  EXPECT_THAT(column(table, "motion_outlier01"), testing::IsEmpty());
  EXPECT_EQ(column(table, "non_steady_state_outlier00")[0], "1");
  EXPECT_EQ(column(table, "non_steady_state_outlier01")[12], "1");
  const auto shift = column(table, "trans_x");
  EXPECT_NEAR(std::stod(shift[20]) - std::stod(shift[5]), 1, 0.05);
  EXPECT_NEAR(std::stod(column(table, "trans_x_derivative1")[18]), 1, 0.05);
  EXPECT_NEAR(std::stod(column(table, "trans_x_power2")[20]), std::pow(std::stod(shift[20]), 2), 1e-6);
  EXPECT_NEAR(std::stod(column(table, "rot_y")[20]) - std::stod(column(table, "rot_y")[5]), 0.01, 1e-3);
  EXPECT_LT(std::stod(column(table, "std_dvars")[8]), 1.1);
  EXPECT_GT(std::stod(column(table, "std_dvars")[13]), 2);  // after the bright volume
  EXPECT_THAT(prepared.motion.notes, testing::Contains(testing::HasSubstr("without the first 2 volumes")));
}

TEST(Preparation, LeavesMotionInWhereItIsAsked) {
  RawSeries raw{twoRuns(), {{0, 12}, {12, 24}}};
  raw.findMotion = false;
  const PreparedSeries prepared = prepareSeries(raw, kOnProcessor, {});
  EXPECT_EQ(prepared.motion.series, raw.series) << "not interpolated";
  EXPECT_EQ(column(confoundsTable(prepared), "trans_x")[20], "0");
  EXPECT_THAT(prepared.motion.notes, testing::Contains(testing::HasSubstr("Motion was left in, as chosen")));
}

}  // namespace
}  // namespace sulcus::preparation
