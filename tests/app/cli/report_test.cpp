#include "app/cli/report.h"

#include "app/cli/wrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::cli {
namespace {

using testing::ContainsRegex, testing::HasSubstr;

AgreementRow row(double within, double needed) {
  AgreementRow row;
  row.quantity = "peak direction", row.unit = "°";
  row.shareWithin = within, row.shareNeeded = needed, row.tolerance = 0.1, row.compared = 1000;
  return row;
}

TEST(Report, PrintsCountsAsCounts) {
  EXPECT_EQ(shortNumber(1e7), "10000000");
  EXPECT_EQ(shortNumber(-12345.6), "-12346");
  EXPECT_EQ(shortNumber(1234.56), "1235");
  EXPECT_EQ(shortNumber(0.0000001234567), "1.235e-07");
  EXPECT_EQ(shortNumber(1e18), "1e+18");
}

TEST(Report, AlignsColumnsByCharactersNotBytes) {
  EXPECT_EQ(markdownTable({"a", "angle"}, {{"45–60°", "1"}}),
            "| a      | angle |\n"
            "|--------|-------|\n"
            "| 45–60° | 1     |\n");
}

TEST(Report, SaysWhetherResultsAgree) {
  EXPECT_THAT(agreementTable({row(0.9995, 0.999)}), HasSubstr("agrees"));
  EXPECT_THAT(agreementTable({row(0.99, 0.999)}), HasSubstr("differs"));
}

TEST(Report, NeverRoundsAShareUpToAll) {
  EXPECT_THAT(agreementTable({row(0.99999, 0.999)}), HasSubstr("99.99 % ≤ 0.1 °"));
  EXPECT_THAT(agreementTable({row(1, 0.999)}), HasSubstr("100.00 % ≤ 0.1 °"));
}

TEST(Report, ShowsSpeedUpPerStage) {
  RunResult cpu, gpu;
  cpu.stages = {{"Fit", 2}, {"Peaks", 4}}, cpu.seconds = 6, cpu.items = 600, cpu.itemName = "voxels";
  gpu.stages = {{"Fit", 0.5}, {"Copy", 0.5}}, gpu.seconds = 1, gpu.items = 600, gpu.itemName = "voxels";
  cpu.waited = 7, gpu.waited = 1.4, gpu.gpu = {0.7, 0.2};
  const std::string table = timeTable(cpu, gpu);
  EXPECT_THAT(table, ContainsRegex("\\| Fit +\\| 2 s +\\| 0.5 s +\\| 4×"));
  EXPECT_THAT(table, ContainsRegex("\\| Peaks +\\| 4 s +\\| — +\\| —"));
  EXPECT_THAT(table, ContainsRegex("\\| Copy +\\| — +\\| 0.5 s +\\| —"));
  EXPECT_THAT(table, ContainsRegex("\\| voxels/s +\\| 100 +\\| 600"));
  EXPECT_THAT(table, ContainsRegex("\\| waited +\\| 7 s +\\| 1.4 s +\\| 5×"));
  EXPECT_THAT(table, ContainsRegex("\\| of it for the GPU +\\| — +\\| 0.7 s"));
  EXPECT_THAT(table, ContainsRegex("\\| of that for copies +\\| — +\\| 0.2 s"));
}

TEST(Report, HoldsTheVerdictInJson) {
  Comparison comparison;
  comparison.rows = {row(1, 0.999), row(0.5, 0.999)};
  comparison.worst = {{{1, 2, 3}, 45}};
  const auto json = toJson(comparison);
  EXPECT_EQ(json["agrees"], false);
  EXPECT_EQ(json["differences"][0]["agrees"], true);
  EXPECT_EQ(json["worst"][0]["voxel"], nlohmann::ordered_json({1, 2, 3}));
}

TEST(Help, BreaksLinesBetweenWords) { EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three"); }

}  // namespace
}  // namespace sulcus::app::cli
