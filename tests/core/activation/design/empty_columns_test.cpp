#include "core/activation/design/design.h"
#include "tests/core/activation/tables.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

using namespace test;
using Rows = std::vector<std::vector<std::string>>;
using Names = std::vector<std::string>;

TEST(WithoutEmptyColumns, LosesConfoundsThatSayNothing) {
  Rows rows = wavesOf(30, 6), others;
  for (const auto& row : wavesOf(30, 9)) others.push_back({row[7], row[8]});
  for (auto& row : rows) row[1] = row[0], row[2] = "0", row[3] = "1000.3", row[4] = "n/a";
  const Layer confounds = tableOf({"a", "again", "zero", "constant", "missing", "b"}, rows);
  const Design design = makeDesign(tableOf({"x", "y"}, others), &confounds, 0, 30, {});
  EXPECT_EQ(design.confoundNames, (Names{"a", "b"}));
  EXPECT_NE(joined(design.notes).find("ignored: 3 (zero, constant, missing)"), std::string::npos);
  EXPECT_NE(joined(design.notes).find("others explain, ignored: 1 (again)"), std::string::npos);
}

TEST(WithoutEmptyColumns, LosesRegressorsThatSayNothing) {
  Rows rows = wavesOf(30, 3);
  for (auto& row : rows) row[1] = "0";
  const Layer table = tableOf({"ev1", "ev2", "ev3"}, rows);
  const Design design = makeDesign(table, nullptr, 0, 30, {});
  EXPECT_EQ(design.names, (Names{"intercept", "ev1", "ev3"}));
  ASSERT_EQ(design.leftOut.size(), 1u);
  EXPECT_EQ(design.leftOut[0].before, 2);
  EXPECT_EQ(design.leftOut[0].name, "ev2");
  const Layer events = tableOf({"onset", "duration", "trial_type"},
                               {{"10", "5", "go"}, {"30", "5", "go"}, {"100", "5", "late"}});
  DesignOptions options;
  options.derivatives = Derivatives::time;
  const Design seen = makeDesign(events, nullptr, 2, 40, options);
  EXPECT_EQ(seen.names, (Names{"intercept", "go", "go_derivative"}));
  EXPECT_EQ(seen.leftOut.size(), 2u);
  EXPECT_EQ(seen.responses, (std::vector<std::vector<int>>{{1, 2}}));
  for (auto& row : rows) row[0] = row[2] = "0";
  expectError(
      [&] {
        makeDesign(tableOf({"ev1", "ev2", "ev3"}, rows), nullptr, 0, 30, {});
      },
      {"No regressor is left", "'ev1'", "constant, 0 in every scan"});
}

}  // namespace
}  // namespace sulcus::activation
