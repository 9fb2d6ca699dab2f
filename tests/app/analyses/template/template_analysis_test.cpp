#include "app/analyses/template/template_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/template/template_making.h"
#include "core/base/error.h"
#include "tests/app/analyses/analysis_runs.h"
#include "tests/support/expect_error.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// The demo with few voxels and iterations.
struct TemplateRun {
  Analysis row = templateAnalysis();
  AnalysisInputs inputs;
  OptionValues values = defaultsOf(row.options);

  explicit TemplateRun(std::int64_t people = 4, std::int64_t size = 32) {
    OptionValues demo = defaultsOf(row.demoOptions);
    demo["size"] = size;
    demo["people"] = people;
    inputs = row.demo(demo);
    values["rounds"] = std::int64_t(2);
    values["iterations"] = std::string("30/20/10");
  }
  RunResult result(const Analysis::Preview& preview = {}) const {
    return row.cpu(inputs, values, {}, preview);
  }
};

std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  for (const Layer& layer : layers) names.push_back(layer.name);
  return names;
}

TEST(TemplateAnalysis, IsTheHeadOfWhichThePeopleOfThePhantomAre) {
  TemplateRun run(4, 40);
  run.values["iterations"] = defaultsOf(run.row.options).at("iterations");
  EXPECT_THAT(run.row.advice(run.inputs, run.values),
              HasSubstr("4 people, voxels of 4.8 mm, 2 rounds at most"));
  const RunResult result = run.result();
  const auto names = namesOf(result.layers);
  EXPECT_EQ(names.front(), "template");
  EXPECT_EQ(names.back(), "rounds");
  for (const char* name :
       {"template_sd", "person-1_logjac", "person-4_warped", "person-2_displacement", "people"})
    EXPECT_THAT(names, Contains(name));
  const auto rows = run.row.compareWithTruth(result, run.inputs, {});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].agrees()) << rows[0].shareWithin << " within " << rows[0].tolerance << " %";
  EXPECT_TRUE(run.row.compare(result, result, {}).agrees());
  EXPECT_EQ(result.items, 4);
}

TEST(TemplateAnalysis, ShowsTheAverageAfterEachRound) {
  const TemplateRun run(2);
  std::vector<std::size_t> rounds;
  const RunResult result = run.result([&](const std::vector<Layer>& layers, const std::vector<Plot>& plots) {
    EXPECT_THAT(namesOf(layers), ElementsAre("template", "template_sd"));
    ASSERT_EQ(plots.size(), 2u) << "correlation, distance from the middle";
    rounds.push_back(plots.front().make({}).series.front().x.size());
  });
  ASSERT_GE(rounds.size(), 2u);
  EXPECT_EQ(rounds.front(), 0u) << "the linear average comes first";
  EXPECT_EQ(rounds.back(), result.plots.front().make({}).series.front().x.size());
}

TEST(TemplateAnalysis, ShowsThePeopleAtTheCrosshair) {
  const RunResult result = TemplateRun(2).result();
  ASSERT_EQ(result.plots.back().name, "People");
  EXPECT_TRUE(result.plots.back().followsCrosshair);
  EXPECT_EQ(result.plots.back().make({0, 0, 0}).series.front().x.size(), 2u);
  EXPECT_THAT(result.plots.back().make({900, 0, 0}).title, HasSubstr("No value"));
}

TEST(TemplateAnalysis, RefusesBeforeTheWorkWhatCannotBeAveraged) {
  TemplateRun run;
  const LayerPtr first = run.inputs.find(kPeopleImages)->second;
  AnalysisInputs inputs{{kPeopleImages, first}};
  test::expectError([&] { run.row.advice(inputs, run.values); },
                    {"There is one image", "two people or more"});
  auto copy = std::make_shared<Layer>(*first);
  copy->name = "copy";
  inputs.emplace(kPeopleImages, copy);
  test::expectError([&] { run.row.advice(inputs, run.values); },
                    {"'person-1' and 'copy' are the same image", "one person would count twice"});
  test::expectError(
      [&] {
        auto labels = std::make_shared<Volume<Label>>(*gridOf(*first), 1);
        give(run.inputs, kPeopleLabels, labelsLayer("labels", labels));
        run.row.advice(run.inputs, run.values);
      },
      {"--labels names 1 file for 4 images"}, ErrorKind::usage);
}

TEST(TemplatePeople, HaveTheNamesOfTheirFiles) {
  EXPECT_THAT(peopleNames({"a/sub-01_T1w.nii.gz", "a/sub-02_T1w.mgz"}),
              ElementsAre("sub-01_T1w", "sub-02_T1w"));
  EXPECT_THAT(peopleNames({"/s/sub-01/T1w.nii", "/s/sub-02/T1w.nii"}),
              ElementsAre("sub-01_T1w", "sub-02_T1w"));
  EXPECT_THAT(peopleNames({"/s/1/anat/T1w.nii", "/s/2/anat/T1w.nii"}),
              ElementsAre("anat_T1w_1", "anat_T1w_2"));
}

}  // namespace
}  // namespace sulcus::app::analyses
