#include "app/analyses/activation/activation_analysis.h"

#include "core/base/error.h"
#include "tests/app/analyses/analysis_runs.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::app::analyses {
namespace {

using testing::Contains;
using testing::HasSubstr;

const Series<float>& seriesOf(const Layer& layer) { return *std::get<VolumeLayer>(layer.content).series; }

/// One slice of the phantom, few draws.
class ActivationAnalysisTest : public testing::Test {
 protected:
  ActivationAnalysisTest() {
    inputs_ = activation_.demo(defaultsOf(activation_.demoOptions));
    values_["slice"] = std::int64_t(6);
    values_["fdr"] = 0.0;
    values_["draws"] = std::int64_t(200), values_["thinning"] = std::int64_t(2);
  }
  RunResult run() const { return activation_.cpu(inputs_, values_, {}, {}); }
  std::string complaint() const {
    return test::errorOf([this] { run(); });
  }
  void replace(const std::string& slot, Layer layer) {
    inputs_.erase(slot);
    inputs_.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
  }

  Analysis activation_ = activationAnalysis();
  AnalysisInputs inputs_;
  OptionValues values_ = defaultsOf(activation_.options);
};

TEST_F(ActivationAnalysisTest, ShowsTheProbabilityOfTheFirstRegressorFirst) {
  const auto result = run();
  EXPECT_EQ(result.layers.front().name, "ppm_visual");
  EXPECT_TRUE(result.layers.front().display.visible);
  EXPECT_EQ(result.layers.front().display.hideBelow, 0.95);
  EXPECT_GT(result.items, 300);
  EXPECT_FALSE(result.stages.empty());
  EXPECT_THAT(namesOf(result.layers),
              testing::IsSupersetOf({"ppm_auditory", "mean_visual", "sd_visual", "sigma2", "rhat", "delta"}));
}

TEST_F(ActivationAnalysisTest, SaysInJsonHowWellTheChainsMixed) {
  const auto result = run();
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].name, "diagnostics.json");
  EXPECT_TRUE(nlohmann::json::accept(result.files[0].text));
}

TEST_F(ActivationAnalysisTest, CoversTheTruthOfTheModel) {
  auto phantom = defaultsOf(activation_.demoOptions);
  phantom["pattern"] = std::string("model");
  inputs_ = activation_.demo(phantom);
  values_["slice"] = std::int64_t(0), values_["draws"] = std::int64_t(500);
  values_["response"] = std::string("raw"), values_["covariance"] = std::string("full");
  const auto rows = activation_.compareWithTruth(run(), inputs_, {});
  int coverages = 0;
  for (const auto& row : rows) {
    EXPECT_TRUE(row.agrees()) << row.quantity << " " << row.shareWithin;
    if (row.quantity.find("90 %") == std::string::npos) continue;
    ++coverages;
    EXPECT_GT(row.shareWithin, 0.88) << row.quantity;
    EXPECT_LT(row.shareWithin, 0.92) << row.quantity;
  }
  EXPECT_EQ(coverages, 3);
  EXPECT_THAT(rows.back().quantity, HasSubstr("V_β")) << "the second level is compared too";
}

TEST_F(ActivationAnalysisTest, KnowsNoTruthWithoutOne) {
  inputs_.erase("truth");
  EXPECT_TRUE(activation_.compareWithTruth(run(), inputs_, {}).empty());
}

TEST_F(ActivationAnalysisTest, AgreesWithAnotherSeedAndNotWithAnotherResponse) {
  const auto first = run();
  EXPECT_EQ(activation_.compare(first, first, {}).rows.front().maximum, 0);
  values_["seed"] = std::int64_t(2);
  const auto comparison = activation_.compare(first, run(), {});
  EXPECT_GT(comparison.rows.front().maximum, 0);
  EXPECT_TRUE(comparison.rows.front().agrees());
  ASSERT_TRUE(comparison.difference);
  values_["response"] = std::string("percent");
  EXPECT_THROW(activation_.compare(first, run(), {}), Error);
}

TEST_F(ActivationAnalysisTest, TakesSingleVolumesInOrder) {
  const auto whole = run();
  const Layer bold = *inputs_.find("bold")->second;
  inputs_.erase("bold");
  for (int v = 0; v < seriesOf(bold).count; ++v) {
    const auto view = seriesOf(bold).volume(v);
    Series<float> one(seriesOf(bold).grid, 1);
    std::copy(view.data, view.data + view.voxels(), one.values.begin());
    Layer layer = bold;
    std::get<VolumeLayer>(layer.content).series = std::make_shared<const Series<float>>(std::move(one));
    inputs_.emplace("bold", std::make_shared<const Layer>(std::move(layer)));
  }
  const auto parts = run();
  const auto &a = seriesOf(layerNamed(whole.layers, "ppm_visual")).values,
             &b = seriesOf(layerNamed(parts.layers, "ppm_visual")).values;
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(),
                         [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); }));
}

TEST_F(ActivationAnalysisTest, TakesSeveralRunsWithATableEach) {
  inputs_.erase("truth");
  for (const char* slot : {"bold", "design"}) inputs_.emplace(slot, inputs_.find(slot)->second);
  const auto result = run();
  EXPECT_THAT(namesOf(result.layers), testing::IsSupersetOf({"mean_visual"}));
  EXPECT_THAT(namesOf(result.layers), testing::Not(Contains("mean_intercept_run2")));
  values_["model-confounds"] = true;
  EXPECT_THAT(namesOf(run().layers), Contains("mean_intercept_run2"));
  EXPECT_THAT(result.notes, Contains(HasSubstr("2 runs in one model")));
}

TEST_F(ActivationAnalysisTest, RefusesRunsThatDoNotGoTogether) {
  inputs_.erase("truth");
  inputs_.emplace("design", inputs_.find("design")->second);
  EXPECT_THAT(complaint(), HasSubstr("There are 2 tables of --design and 1 functional series"));
  Layer slower = *inputs_.find("bold")->second;
  std::get<VolumeLayer>(slower.content).secondsPerVolume *= 1.5;
  inputs_.emplace("bold", std::make_shared<const Layer>(slower));
  EXPECT_THAT(complaint(), HasSubstr("s per scan and '"));
}

TEST_F(ActivationAnalysisTest, ChangesContrastsAndThresholdsWithoutSamplingAgain) {
  const auto result = run();
  OptionValues changed{{"contrast", std::string("more: 0 1 -1; any: F(visual; auditory)")},
                       {"gamma", 0.5},
                       {"probability", 0.8}};
  const auto layers = result.adjust(changed, {});
  EXPECT_THAT(namesOf(layers), testing::IsSupersetOf({"ppm_visual", "ppm_more", "mean_more", "sd_more"}));
  EXPECT_EQ(layers.front().display.hideBelow, 0.8);
  values_.insert_or_assign("contrast", changed["contrast"]);
  values_.insert_or_assign("gamma", changed["gamma"]);
  const auto from = run();
  for (const char* name : {"ppm_more", "ppm_any", "f_any", "z_any"}) {
    const auto &a = seriesOf(layerNamed(layers, name)).values,
               &b = seriesOf(layerNamed(from.layers, name)).values;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!std::isnan(a[i])) {
        ASSERT_EQ(a[i], b[i]) << name;
      }
  }
}

TEST_F(ActivationAnalysisTest, ChangesTheFalseShareWithoutSamplingAgain) {
  const auto result = run();
  const auto shownWith = [&](double fdr) {
    const auto layers = result.adjust({{"fdr", fdr}}, {});
    const auto& table = std::get<TableLayer>(layerNamed(layers, "shown").content);
    EXPECT_EQ(layers.front().name, "ppm_visual");
    EXPECT_THAT(table.rows[0][1], HasSubstr("fdr"));
    return std::stoi(table.rows[0][4]);
  };
  const int few = shownWith(0.01), some = shownWith(0.05), many = shownWith(0.3);
  EXPECT_LT(few, some);
  EXPECT_LT(some, many);
  const auto json = nlohmann::json::parse(result.files[0].text);
  EXPECT_EQ(json["shown"][0]["contrast"], "visual");
  EXPECT_EQ(json["shown"][0]["rule"], "probability");
}

TEST_F(ActivationAnalysisTest, ShowsTheMapsWhileItRuns) {
  const auto names = namesOf(run().layers);
  values_["draws"] = std::int64_t(test::cases(1000000)),
  values_["chains"] = std::int64_t(1);  // stopped by the first preview, which comes after the burn-in
  std::vector<std::string> shown;
  std::stop_source stop;
  const auto preview = [&](const std::vector<Layer>& layers, const std::vector<Plot>&) {
    shown = namesOf(layers);
    stop.request_stop();
  };
  EXPECT_THROW(activation_.cpu(inputs_, values_, Progress(stop.get_token(), {}), preview), Cancelled);
  EXPECT_EQ(shown.front(), "ppm_visual");
  EXPECT_THAT(names, testing::IsSupersetOf(shown));
}

TEST_F(ActivationAnalysisTest, GivesEveryDrawWhereAsked) {
  values_["save-draws"] = true;
  const RunResult result = run();
  const auto& draws = layerNamed(result.layers, "draws_visual");
  EXPECT_EQ(seriesOf(draws).count, 2 * 90);
  values_["draws"] = std::int64_t(1000000), values_["thinning"] = std::int64_t(1);
  EXPECT_THAT(complaint(), HasSubstr("GB")) << "said before they are drawn";
}

TEST_F(ActivationAnalysisTest, RefusesAtOnceWhatARunWouldRefuse) {
  const auto refusal = [this] { return test::errorOf([this] { activation_.advice(inputs_, values_); }); };
  EXPECT_EQ(refusal(), "");
  values_["contrast"] = std::string("1 2 3 4 5 6 7");
  EXPECT_THAT(refusal(), HasSubstr("has 7 numbers (the design has 3 regressors"));
  values_["contrast"] = std::string();
  const AnalysisInputs whole = inputs_;
  replace("mask", maskLayer("other mask", Mask(Grid{{4, 4, 4}, {}})));
  EXPECT_THAT(refusal(), HasSubstr("'other mask' has a different grid than the series: 4 × 4 × 4"));
  inputs_ = whole;
  inputs_.erase("design");
  EXPECT_THAT(refusal(), HasSubstr("neither a design nor events"));
}

TEST_F(ActivationAnalysisTest, OffersSingleVolumesAndTakesOnlySeriesAutomatically) {
  const InputSlot& bold = activation_.inputs.front();
  const Layer volume = mapLayer("iterations", "", "gray", Series<float>(Grid{{2, 2, 2}, {}}, 1));
  const Layer series = mapLayer("bold", "", "gray", Series<float>(Grid{{2, 2, 2}, {}}, 9));
  EXPECT_TRUE(bold.accepts(volume)) << "several in order are a series";
  EXPECT_FALSE(bold.unasked(volume));
  EXPECT_TRUE(bold.unasked(series));
}

TEST_F(ActivationAnalysisTest, WarnsOnEveryMapOfChainsThatHaveNotConverged) {
  values_["draws"] = std::int64_t(20), values_["thinning"] = std::int64_t(1), values_["burn-in"] = 0.0;
  const auto warns = [](const Layer& layer) {
    return std::any_of(layer.notes.begin(), layer.notes.end(),
                       [](const std::string& note) { return note.starts_with("Warning: the chains"); });
  };
  const RunResult few = run();
  EXPECT_TRUE(warns(layerNamed(few.layers, "ppm_visual")));
  EXPECT_TRUE(warns(layerNamed(few.adjust(values_, {}), "ppm_visual"))) << "after a slider, too";
}

TEST_F(ActivationAnalysisTest, SaysWhatItWouldWorkOn) {
  EXPECT_THAT(activation_.advice(inputs_, values_),
              testing::AllOf(HasSubstr("60 scans, 3 regressors, "), HasSubstr("180 draws")));
  inputs_.erase("mask");
  EXPECT_THAT(activation_.advice(inputs_, values_), HasSubstr("automatic mask"));
  EXPECT_EQ(activation_.advice({}, values_), "");
}

TEST_F(ActivationAnalysisTest, NeedsMoreMemoryForMoreDraws) {
  const double few = activation_.memory(inputs_, values_).hostBytes;
  EXPECT_GT(few, 0);
  values_["save-draws"] = true;
  const double kept = activation_.memory(inputs_, values_).hostBytes;
  EXPECT_GT(kept - few, 4.0 * 3 * 180 * 32 * 32 * 12 - 1);
  inputs_.erase("design");
  EXPECT_EQ(activation_.memory(inputs_, values_).hostBytes, 0) << "nothing can be said yet";
}

TEST_F(ActivationAnalysisTest, WantsADesignOrEventsButNotBoth) {
  const auto design = inputs_.find("design")->second;
  inputs_.emplace("events", design);
  EXPECT_THAT(complaint(), HasSubstr("both"));
  inputs_.erase("events");
  inputs_.erase("design");
  EXPECT_THAT(complaint(), HasSubstr("--design"));
}

TEST_F(ActivationAnalysisTest, NamesTheDesignThatLiesNextToTheScan) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "bold_design.tsv") << "a\n1\n";
  std::ofstream(folder / "design.mat") << "/Matrix\n1\n";
  Layer bold = *inputs_.find("bold")->second;
  bold.source = folder / "bold.nii.gz";
  replace("bold", bold);
  inputs_.erase("design");
  EXPECT_THAT(complaint(), HasSubstr("design"));
  EXPECT_THAT(complaint(), HasSubstr(folder.path().string()));
}

TEST_F(ActivationAnalysisTest, NamesLayersThatCannotBeWhatTheyAreGivenFor) {
  const Layer bold = *inputs_.find("bold")->second, design = *inputs_.find("design")->second;
  replace("design", bold);
  EXPECT_THAT(complaint(), HasSubstr("'activation with known truth' cannot be used as design"));
  replace("design", design);
  replace("tissue", design);
  EXPECT_THAT(complaint(), HasSubstr("'design' cannot be used as tissue"));
}

TEST_F(ActivationAnalysisTest, WantsMapsOnOneGrid) {
  Layer other = *inputs_.find("tissue")->second;
  Grid grid = *gridOf(other);
  grid.worldFromVoxel.t.x += 5;
  other.name = "moved";
  other.content = VolumeLayer{std::make_shared<const Series<float>>(grid, 1, 0.5f), {}, 0, {}};
  inputs_.emplace("tissue", std::make_shared<const Layer>(other));
  EXPECT_THAT(complaint(), HasSubstr("'moved' has a different grid than 'csf'"));
  replace("tissue", other);
  EXPECT_THAT(complaint(), HasSubstr("tissue maps have a different grid"));
  inputs_.erase("tissue");
  inputs_.erase("truth");
  other.name = "true_beta";
  inputs_.emplace("truth", std::make_shared<const Layer>(other));
  EXPECT_THAT(complaint(), HasSubstr("truth has a different grid")) << "before any draw";
}

TEST_F(ActivationAnalysisTest, RefusesContrastsItCannotRead) {
  values_["contrast"] = std::string("0 1");
  EXPECT_THAT(complaint(), HasSubstr("3"));
}

}  // namespace
}  // namespace sulcus::app::analyses
