#include "app/analyses.h"

#include "app/run_support.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

using testing::HasSubstr;

TEST(Analyses, AreCompleteRows) {
  ASSERT_FALSE(analyses().empty());
  for (const auto& analysis : analyses()) {
    SCOPED_TRACE(analysis.name);
    EXPECT_FALSE(analysis.title.empty());
    EXPECT_FALSE(analysis.summary.empty());
    EXPECT_FALSE(analysis.inputs.empty());
    EXPECT_TRUE(analysis.cpu && analysis.gpu && analysis.compare && analysis.compareWithTruth &&
                analysis.memory && analysis.demo);
  }
}

TEST(Analyses, NameEachFlagOnce) {
  for (const auto& analysis : analyses()) {
    std::set<std::string> flags{"out",         "backend", "threads", "device",    "params",
                                "save-params", "json",    "quiet",   "overwrite", "help"};
    for (const auto& slot : analysis.inputs) EXPECT_TRUE(flags.insert(slot.name).second) << slot.name;
    for (const auto& option : analysis.options) EXPECT_TRUE(flags.insert(option.name).second) << option.name;
  }
}

TEST(Analyses, GiveTheOutputsTheyName) {
  for (const auto& analysis : analyses()) {
    SCOPED_TRACE(analysis.name);
    OptionValues demo, values;
    for (const auto& option : analysis.demoOptions) demo[option.name] = option.defaultValue;
    for (const auto& option : analysis.options) values[option.name] = option.defaultValue;
    const auto result = analysis.cpu(analysis.demo(demo), values, {}, {});
    std::vector<std::string> names;
    for (const auto& layer : result.layers) names.push_back(layer.name);
    EXPECT_EQ(names, analysis.outputs);
  }
}

TEST(Analyses, RecordHowAResultCameAbout) {
  const auto& fibers = analyses().front();
  OptionValues demo, values;
  for (const auto& option : fibers.demoOptions) demo[option.name] = option.defaultValue;
  for (const auto& option : fibers.options) values[option.name] = option.defaultValue;
  values["order"] = std::int64_t(4);
  const auto result = fibers.cpu(fibers.demo(demo), values, {}, {});
  const auto& provenance = result.provenance;
  EXPECT_EQ(provenance.analysis, "fibers");
  EXPECT_EQ(provenance.backend, "cpu");
  EXPECT_EQ(provenance.parameters, values);
  EXPECT_EQ(provenance.inputs.size(), 3u);
  EXPECT_FALSE(provenance.device.empty());
  EXPECT_THAT(provenance.commandLine, HasSubstr("--order 4"));
  EXPECT_THAT(provenance.commandLine, testing::Not(HasSubstr("--model")));
  double seconds = 0;
  for (const auto& stage : result.stages) seconds += stage.seconds;
  EXPECT_DOUBLE_EQ(result.seconds, seconds);
  ASSERT_TRUE(result.layers.front().provenance);
  EXPECT_EQ(result.layers.front().provenance->created, provenance.created);
}

TEST(Analyses, QuoteWhatAShellWouldSplit) {
  EXPECT_EQ(shellQuoted("plain.nii"), "plain.nii");
  EXPECT_EQ(shellQuoted("my scan.nii"), "'my scan.nii'");
  EXPECT_EQ(shellQuoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shellQuoted(""), "''");
}

}  // namespace
}  // namespace sulcus::app
