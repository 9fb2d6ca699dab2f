#include "app/analyses/group/group_analysis.h"

#include "app/analyses/table.h"
#include "core/image/grids/index_at.h"
#include "tests/app/analyses/analysis_runs.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

using testing::HasSubstr;

const Analysis& row() {
  return *std::find_if(table().begin(), table().end(),
                       [](const Analysis& one) { return one.name == "group"; });
}

struct GroupRun {
  AnalysisInputs inputs;
  OptionValues values = defaultsOf(row().options);

  GroupRun() {
    OptionValues demo = defaultsOf(row().demoOptions);
    demo["size"] = std::int64_t(24);
    inputs = row().demo(demo);
    values["groups"] = std::string("group");
    values["contrast"] = std::string("patients - controls");
    values["permutations"] = std::int64_t(100);
  }
  RunResult result() const { return row().cpu(inputs, values, {}, {}); }
};

TEST(GroupAnalysis, FindsWhereTheGroupsOfItsPhantomDiffer) {
  const GroupRun run;
  const RunResult result = run.result();
  EXPECT_EQ(result.layers.front().name, "shown_patients-controls");
  const auto rows = row().compareWithTruth(result, run.inputs, {});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].agrees()) << rows[0].shareWithin;
  EXPECT_TRUE(row().compare(result, run.result(), {}).agrees());
  EXPECT_THAT(row().advice(run.inputs, run.values), HasSubstr("24 maps"));
}

TEST(GroupAnalysis, ShowsMoreOrLessWithoutAnotherRun) {
  const GroupRun run;
  const RunResult result = run.result();
  const auto shownAt = [&](double alpha) {
    OptionValues values = run.values;
    values["alpha"] = alpha;
    const auto layers = result.adjust(values, {});
    const auto& shown = std::get<VolumeLayer>(layers.front().content).series->values;
    return std::count_if(shown.begin(), shown.end(), [](float value) { return std::isfinite(value); });
  };
  EXPECT_LT(shownAt(0.01), shownAt(0.05));
  EXPECT_LT(shownAt(0.05), shownAt(0.5));
}

TEST(GroupAnalysis, ShowsThePeopleAtTheCrosshairEachWithTheOwnMap) {
  const GroupRun run;
  const RunResult result = run.result();
  ASSERT_EQ(result.plots.front().name, "People");
  const Chart chart = result.plots.front().make({0, 0, 0});
  std::size_t dots = 0;
  for (const auto& series : chart.series) {
    if (series.kind != Chart::Kind::points) continue;
    dots += series.x.size();
    ASSERT_EQ(series.subjects.size(), series.x.size());
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Chart::Subject& person = series.subjects[i];
      ASSERT_TRUE(person.image);
      EXPECT_THAT(person.image->name, HasSubstr(person.name));
      const auto& map = *std::get<VolumeLayer>(person.image->content).series;
      EXPECT_EQ(map.at(indexAt(map.grid, {0, 0, 0}), person.volume), float(series.y[i]));
    }
  }
  EXPECT_EQ(dots, 24u);
  EXPECT_THAT(result.plots.front().make({500, 0, 0}).title, HasSubstr("No value"));
}

TEST(GroupAnalysis, ShowsWhoCarriesAFindingByExcludingEach) {
  const GroupRun run;
  const RunResult result = run.result();
  const auto plot = std::ranges::find(result.plots, "Leave one out patients-controls", &Plot::name);
  ASSERT_NE(plot, result.plots.end());
  const Chart chart = plot->make({0, 0, 0});
  EXPECT_THAT(chart.title, HasSubstr("least without sub-"));
  // For the fifth person, compared with a run without that person.
  GroupRun fewer;
  auto [map, end] = fewer.inputs.equal_range("maps");
  std::advance(map, 4);
  fewer.inputs.erase(map);
  const RunResult without = fewer.result();
  const auto t = std::ranges::find(without.layers, "t_patients-controls", &Layer::name);
  ASSERT_NE(t, without.layers.end());
  const auto& series = *std::get<VolumeLayer>(t->content).series;
  double found = 0;
  for (const auto& group : chart.series)
    for (std::size_t i = 0; i < group.x.size(); ++i)
      if (group.kind == Chart::Kind::points && group.x[i] == 5) found = group.y[i];
  EXPECT_NEAR(found, series.at(indexAt(series.grid, {0, 0, 0}), 0), 1e-4);
}

}  // namespace
}  // namespace sulcus::app::analyses
