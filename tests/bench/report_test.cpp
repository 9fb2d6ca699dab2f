#include "tests/bench/report.h"

#include "core/base/error.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

struct Row {
  std::string processor;
  int size = 0;
  double time = 0, distance = -1;
  std::vector<StageTime> stages = {};

  const std::string& series() const { return processor; }
  double problemSize() const { return size; }
  double seconds() const { return time; }
};

/// A CPU and a GPU in turn; the GPU's time grows with the square of the size, the CPU's does not at first.
const std::vector<Row> kRows{{"CPU, \"all\"", 10, 1e-3}, {"GPU", 10, 1e-4},
                             {"CPU, \"all\"", 20, 1e-3}, {"GPU", 20, 4e-4, 0.25, {{"read", 0.5}, {"fit", 2}}},
                             {"CPU, \"all\"", 40, 2e-3}, {"GPU", 40, 16e-4}};

Report report() {
  const Table table = tableOf<Row>(kRows, {{"processor", "on", &Row::processor},
                                           {"size", "size", &Row::size, {"%.0f³"}},
                                           {"seconds", "time", &Row::time, kMilliseconds},
                                           {"distance", "far", &Row::distance, {"%.2g", 1, -1}},
                                           {"unseen", "", &Row::size},
                                           {"stages", "stages", &Row::stages},
                                           growthColumn(kRows)});
  return {
      {"Xeon", "none", 3, false}, "Title", {{"rows", "About.", table}, {"runs", "More.", {}}}, {{"rate", 7}}};
}

std::string contentOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(GrowthExponent, IsOfARowAndTheNextSmallerOfItsSeries) {
  const double cpu[] = {0, 0, 1}, gpu[] = {0, 2, 2};
  for (std::size_t size = 0; size < 3; ++size) {
    const auto onCpu = growthExponent(kRows, kRows[2 * size]),
               onGpu = growthExponent(kRows, kRows[2 * size + 1]);
    EXPECT_EQ(onCpu.has_value(), size > 0) << "the smallest of a series has none";
    EXPECT_EQ(onGpu.has_value(), size > 0);
    EXPECT_NEAR(onCpu.value_or(0), cpu[size], 1e-12);
    EXPECT_NEAR(onGpu.value_or(0), gpu[size], 1e-12);
  }
}

TEST(GrowthExponent, DoesNotDependOnTheOrderOfRows) {
  const std::vector<Row> rows{{"GPU", 40, 16}, {"GPU", 10, 1}, {"GPU", 10, 1}, {"GPU", 20, 2}};

  EXPECT_NEAR(growthExponent(rows, rows[0]).value(), 3, 1e-12);
  EXPECT_FALSE(growthExponent(rows, rows[2]).has_value()) << "of the same size twice";
  EXPECT_NEAR(growthExponent(rows, rows[3]).value(), 1, 1e-12);
}

TEST(BenchReport, ShowsAListOfColumnsAsMarkdown) {
  EXPECT_THAT(markdown(report()),
              testing::StartsWith("## Title\n\nCPU: Xeon. GPU: none.\n\nAbout.\n\n"
                                  "| on | size | time | far | stages | growth |\n"
                                  "|---|---|---|---|---|---|\n"
                                  "| CPU, \"all\" | 10³ | 1 | – |  | – |\n"
                                  "| GPU | 10³ | 0.1 | – |  | – |\n"
                                  "| CPU, \"all\" | 20³ | 1 | – |  | 0.00 |\n"
                                  "| GPU | 20³ | 0.4 | 0.25 | read 0.500 fit 2.000 | 2.00 |\n"));
}

TEST(BenchReport, KeepsUnitsAndDigitsInJson) {
  const auto parsed = nlohmann::json::parse(json(report()));

  EXPECT_EQ(parsed["cpu"], "Xeon");
  EXPECT_EQ(parsed["threads"], 3);
  EXPECT_EQ(parsed["hasGpu"], false);
  EXPECT_EQ(parsed["rate"], 7);
  ASSERT_EQ(parsed["rows"].size(), kRows.size());
  EXPECT_TRUE(parsed["rows"][1]["growthExponent"].is_null());
  const auto& row = parsed["rows"][3];
  EXPECT_EQ(row["processor"], "GPU");
  EXPECT_EQ(row["size"], 20);
  EXPECT_EQ(row["unseen"], 20);
  EXPECT_EQ(row["seconds"], 4e-4);
  EXPECT_EQ(row["distance"], 0.25);
  EXPECT_EQ(row["stages"]["fit"], 2);
  EXPECT_NEAR(row["growthExponent"].get<double>(), 2, 1e-12);
  EXPECT_TRUE(parsed["runs"].empty());
}

TEST(BenchReport, BecomesTheFirstSectionOfAFile) {
  const test::TemporaryFolder folder;
  const Report made{{"Xeon", "none", 3, false}, "New", {}};
  const std::string section = "## New\n\nCPU: Xeon. GPU: none.\n";
  for (const auto& [before, after] :
       {std::pair{"# Speeds\n\nWords.\n\n## Old\n", "# Speeds\n\nWords.\n\n" + section + "\n## Old\n"},
        std::pair{"# Speeds\n", "# Speeds\n" + section}}) {
    std::ofstream(folder / "a.md") << before;
    addTo(folder / "a.md", made);
    EXPECT_EQ(contentOf(folder / "a.md"), after);
  }
  addTo(folder / "none.md", made);
  EXPECT_EQ(contentOf(folder / "none.md"), "## New\n\nCPU: Xeon. GPU: none.\n");
}

TEST(BenchReport, WritesACsvForEachTable) {
  const test::TemporaryFolder folder;
  writeCsv(report(), folder / "a.csv");

  const std::string rows = contentOf(folder / "a.csv");
  EXPECT_THAT(rows, testing::StartsWith("processor,size,seconds,distance,unseen,stages,growthExponent\n"
                                        "\"CPU, \"\"all\"\"\",10,0.001,-1,10,\"\",\n"));
  EXPECT_THAT(rows, testing::HasSubstr("\n\"GPU\",20,0.0004,0.25,20,\"read 0.500 fit 2.000\",2\n"));
  EXPECT_EQ(contentOf(folder / "a-runs.csv"), "\n");
}

}  // namespace
}  // namespace sulcus::bench
