#include "app/analyses/fibers/fibers_analysis.h"

#include "core/base/error.h"
#include "core/fibers/fibers.h"
#include "core/image/display/layer_kinds.h"
#include "tests/app/analyses/analysis_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/tissue_phantom.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

using testing::HasSubstr;

class FibersAnalysisTest : public testing::Test {
 protected:
  FibersAnalysisTest() { inputs_ = fibers_.demo(defaultsOf(fibers_.demoOptions)); }
  RunResult run() const { return fibers_.cpu(inputs_, values_, {}, {}); }
  std::string complaint() const {
    return test::errorOf([this] { run(); });
  }

  Analysis fibers_ = fibersAnalysis();
  LayerPtr given(const std::string& slot) const { return inputs_.find(slot)->second; }
  void give(const std::string& slot, LayerPtr layer) {
    inputs_.erase(slot);
    inputs_.emplace(slot, std::move(layer));
  }
  AnalysisInputs inputs_;
  OptionValues values_ = optionValues(fibers::FiberOptions{});
};

TEST_F(FibersAnalysisTest, ShowsPeaksWithTheirLobesFirstAndHidesTheMaps) {
  const auto result = run();
  const auto& peaks = result.layers.front();
  EXPECT_TRUE(peaks.display.visible);
  ASSERT_TRUE(std::holds_alternative<PeaksLayer>(peaks.content));
  const auto& tensor = std::get<PeaksLayer>(peaks.content).tensor;
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->count, 66);  // order 10
  for (std::size_t i = 1; i < result.layers.size(); ++i) EXPECT_FALSE(result.layers[i].display.visible);
  EXPECT_EQ(result.items, 1024);
}

TEST_F(FibersAnalysisTest, ShowsTissuesWithWhatTheirResponsesCameFrom) {
  Grid grid;
  grid.size = {24, 12, 4};
  auto phantom = test::tissuePhantom(grid, 30, 1);
  Layer dwi;
  dwi.name = "tissues";
  dwi.content = VolumeLayer{phantom.input.dwi, phantom.input.gradients, 0, {}};
  inputs_.clear();
  give("dwi", std::make_shared<const Layer>(std::move(dwi)));

  const auto result = run();

  const auto layer = [&](const std::string& name) {
    return std::find_if(result.layers.begin(), result.layers.end(),
                        [&](const Layer& l) { return l.name == name; });
  };
  ASSERT_NE(layer("fractions"), result.layers.end());
  ASSERT_NE(layer("volumes"), result.layers.end());
  const auto& fractions = std::get<VolumeLayer>(layer("fractions")->content);
  EXPECT_THAT(fractions.volumeNames, testing::ElementsAre("white matter", "gray matter", "CSF"));
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    EXPECT_NEAR(fractions.series->at(i, 0) + fractions.series->at(i, 1) + fractions.series->at(i, 2), 1,
                1e-5);
  ASSERT_NE(layer("response_voxels"), result.layers.end());
  EXPECT_TRUE(std::holds_alternative<LabelsLayer>(layer("response_voxels")->content));
  ASSERT_EQ(result.files.size(), 3u);
  EXPECT_EQ(result.files[1].name, "response_gm.txt");
  EXPECT_EQ(result.plots.size(), 1u);
}

TEST_F(FibersAnalysisTest, MeasuresTheErrorAgainstTheTruth) {
  const auto result = run();
  const auto rows = fibers_.compareWithTruth(result, inputs_, {});
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) EXPECT_TRUE(row.agrees()) << row.quantity;
  inputs_.erase("truth");
  EXPECT_TRUE(fibers_.compareWithTruth(result, inputs_, {}).empty());
}

TEST_F(FibersAnalysisTest, AgreesWithItselfAndNotWithAnotherModel) {
  const auto result = run();
  EXPECT_TRUE(fibers_.compare(result, result, {}).agrees());
  values_["model"] = std::string("adc");
  EXPECT_FALSE(fibers_.compare(result, run(), {}).agrees());
}

TEST_F(FibersAnalysisTest, TakesATensorImageBackIn) {
  const auto first = run();
  auto layer = std::make_shared<Layer>();
  layer->name = "tensor";
  layer->content = VolumeLayer{std::get<PeaksLayer>(first.layers.front().content).tensor, {}, 0, {}};
  inputs_.erase("dwi");
  give("tensor", layer);
  EXPECT_TRUE(fibers_.compare(first, run(), {}).agrees());
}

TEST_F(FibersAnalysisTest, AdvisesWithoutLookingThroughTheMask) {
  auto labels = std::make_shared<Volume<Label>>();
  labels->grid = *gridOf(*given("dwi"));  // it has no values
  auto layer = std::make_shared<Layer>();
  layer->content = LabelsLayer{labels};
  give("mask", layer);
  EXPECT_FALSE(fibers_.advice(inputs_, values_).empty());
  EXPECT_GT(fibers_.memory(inputs_, values_).hostBytes, 0);
  auto remote = std::make_shared<Volume<Label>>();
  remote->grid.size = {20000, 20000, 20000};  // more than any memory
  auto other = std::make_shared<Layer>();
  other->content = LabelsLayer{remote};
  give("mask", other);
  EXPECT_THAT(test::errorOf([this] { fibers_.advice(inputs_, values_); }), HasSubstr("has a different grid"));
}

TEST_F(FibersAnalysisTest, SaysWhyTheGradientsCannotBeUsed) {
  Layer dwi = *given("dwi");
  std::get<VolumeLayer>(dwi.content).gradients = {{}, "'dwi.bval' has 60 b-values", {}};
  give("dwi", std::make_shared<const Layer>(dwi));
  test::expectError([&] { run(); }, {"'dwi.bval' has 60 b-values"});
}

TEST_F(FibersAnalysisTest, AdvisesWhatAutoWillPick) {
  EXPECT_THAT(fibers_.advice(inputs_, values_), HasSubstr("csd"));
  EXPECT_EQ(fibers_.advice({}, values_), "");
}

TEST_F(FibersAnalysisTest, RefusesInputsOfTheWrongKindBeforeTheWork) {
  give("truth", given("mask"));
  EXPECT_THAT(complaint(), HasSubstr("cannot be used as truth"));
  give("dwi", given("mask"));
  EXPECT_THAT(complaint(), HasSubstr("cannot be used as dwi"));
}

TEST_F(FibersAnalysisTest, FindsTheResponseAndTriesCrossingsAgainOnlyForWhatTheyDependOn) {
  const auto isRecalled = [this] {
    const auto notes = run().notes;
    return std::ranges::any_of(notes, [](const auto& note) {
      return note.line().starts_with("The response and the simulated crossings are those of an earlier run");
    });
  };
  EXPECT_FALSE(isRecalled());
  values_["relative-threshold"] = 0.5, values_["starts"] = std::int64_t(16), values_["false-peaks"] = 0.1;
  values_["absolute-threshold"] = 0.1, values_["max-peaks"] = std::int64_t(2);
  EXPECT_TRUE(isRecalled());
  inputs_.erase("truth");
  EXPECT_TRUE(isRecalled());
  values_["order"] = std::int64_t(8);
  EXPECT_FALSE(isRecalled());
  values_["order"] = std::int64_t(0);
  EXPECT_TRUE(isRecalled()) << "of two orders both are kept";
  give("mask", std::make_shared<const Layer>(*given("mask")));
  EXPECT_FALSE(isRecalled()) << "another mask";
  Layer flipped = *given("dwi");
  for (auto& row : std::get<VolumeLayer>(flipped.content).gradients.rows) row.directionWorld.x *= -1;
  give("dwi", std::make_shared<const Layer>(flipped));
  EXPECT_FALSE(isRecalled()) << "the same values under other gradients";
}

TEST_F(FibersAnalysisTest, OfASliceShowsWhatTheWholeShowsThere) {
  for (const bool isMasked : {true, false}) {
    if (!isMasked) inputs_.erase("mask");
    const Grid grid = std::get<VolumeLayer>(given("dwi")->content).series->grid;
    const AnalysisInputs cut = fibers_.inSlice(inputs_, values_, {0, grid.center()}, {});
    const auto slice = fibers_.cpu(cut, values_, {}, {}), whole = run();
    const auto& of = layerNamed(slice.layers, "peaks");
    const auto &part = *std::get<PeaksLayer>(of.content).peaks,
               &all = *std::get<PeaksLayer>(layerNamed(whole.layers, "peaks").content).peaks;
    const Mask mask = maskOf(*cut.find("mask")->second);
    EXPECT_EQ(slice.items, 32);
    for (std::int64_t i = 0; i < grid.voxels(); ++i)
      for (int v = 0; v < all.count; ++v) {
        if (mask.values[std::size_t(i)] && !std::isnan(all.at(i, v)))
          EXPECT_EQ(part.at(i, v), all.at(i, v));
        else
          EXPECT_TRUE(std::isnan(part.at(i, v)));
      }
  }
}

TEST_F(FibersAnalysisTest, OffersOnlyLayersThatFit) {
  for (const auto& slot : fibers_.inputs) {
    const bool wanted = slot.name == "dwi" || slot.name == "sh" || slot.name == "tensor";
    EXPECT_EQ(slot.accepts(*given("dwi")), wanted) << slot.name;
    EXPECT_EQ(slot.accepts(*given("mask")), slot.name == "mask") << slot.name;
    EXPECT_EQ(slot.accepts(*given("truth")), slot.name == "truth") << slot.name;
  }
}

}  // namespace
}  // namespace sulcus::app::analyses
