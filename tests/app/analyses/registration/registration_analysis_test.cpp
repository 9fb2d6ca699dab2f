#include "app/analyses/registration/registration_analysis.h"

#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "core/base/error.h"
#include "core/image/table_places.h"
#include "core/image/transform_table.h"
#include "core/registration/results/registration_maps.h"
#include "tests/app/analyses/analysis_runs.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sulcus::app::analyses {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// A small brain and a deformed copy of it, few iterations.
class RegistrationAnalysisTest : public testing::Test {
 protected:
  RegistrationAnalysisTest() {
    demo_["kind"] = std::string("brain"), demo_["size"] = std::int64_t(32);
    inputs_ = registration_.demo(demo_);
    values_["affine"] = std::string("none"), values_["lambda"] = 5e-4;
    values_["iterations"] = std::string("20");
  }
  RunResult run() const { return registration_.cpu(inputs_, values_, {}, {}); }
  std::string complaint() const {
    return test::errorOf([this] { run(); });
  }
  void put(const std::string& slot, Layer layer) {
    inputs_.erase(slot);
    inputs_.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
  }
  const Layer& input(const std::string& slot) const { return *inputs_.find(slot)->second; }
  /// 1 in the left half, 2 in the right half of an image's grid.
  Layer halves(const std::string& slot) const {
    Volume<Label> labels(*gridOf(input(slot)), 2);
    for (std::int64_t i = 0; i < labels.grid.voxels(); ++i)
      if (2 * labels.grid.voxel(i).x < labels.grid.size.x) labels.values[std::size_t(i)] = 1;
    Layer layer;
    layer.name = "halves";
    layer.content = LabelsLayer{std::make_shared<const Volume<Label>>(std::move(labels))};
    return layer;
  }

  Analysis registration_ = registrationAnalysis();
  OptionValues demo_ = defaultsOf(registration_.demoOptions);
  AnalysisInputs inputs_;
  OptionValues values_ = defaultsOf(registration_.options);
};

TEST_F(RegistrationAnalysisTest, ShowsTheWarpedImageUnderItsGrid) {
  const auto result = run();
  ASSERT_GE(result.layers.size(), 2u);
  EXPECT_EQ(result.layers[0].name, "displacement");
  EXPECT_EQ(result.layers[1].name, "logjac");
  for (const auto& layer : result.layers)
    EXPECT_EQ(layer.display.visible, layer.name == "warped" || layer.name == "displacement") << layer.name;
  EXPECT_EQ(result.items, 32 * 32 * 32);
  ASSERT_EQ(result.files.size(), 2u);
  EXPECT_EQ(result.files[0].name, "affine.txt");
  EXPECT_EQ(result.files[1].name, "report.json");
  const auto report = nlohmann::json::parse(result.files[1].text);
  EXPECT_GT(report["deformed"]["correlation"], report["prealigned"]["correlation"]);
  EXPECT_GT(report["smallest_j"], 0);
  EXPECT_THAT(result.notes, Contains(HasSubstr("Correlation")));
}

TEST_F(RegistrationAnalysisTest, ComesNearerToTheTruth) {
  values_["iterations"] = std::string("0");
  const auto before = registration_.compareWithTruth(run(), inputs_, {});
  values_["iterations"] = std::string("60");
  const auto after = registration_.compareWithTruth(run(), inputs_, {});
  ASSERT_EQ(after.size(), 1u);
  EXPECT_THAT(after[0].quantity, HasSubstr("in the object"));
  EXPECT_LT(after[0].mean, 0.6 * before[0].mean);
  inputs_.erase("truth");
  EXPECT_TRUE(registration_.compareWithTruth(run(), inputs_, {}).empty());
}

TEST_F(RegistrationAnalysisTest, BetweenPeopleFindsAKnownWarp) {
  demo_["size"] = std::int64_t(64);
  inputs_ = registration_.demo(demo_);
  values_ = defaultsOf(registration_.options);
  values_["affine"] = std::string("none");
  const auto preset = std::find_if(registration_.presets.begin(), registration_.presets.end(),
                                   [](const Preset& one) { return one.name == "between people"; });
  ASSERT_NE(preset, registration_.presets.end());
  for (const auto& [name, value] : preset->values) values_[name] = value;
  EXPECT_LT(registration_.compareWithTruth(run(), inputs_, {}).at(0).mean, 0.35);  // voxels
}

TEST_F(RegistrationAnalysisTest, AgreesWithItselfAndNotWithAnotherLambda) {
  const auto first = run();
  EXPECT_TRUE(registration_.compare(first, run(), {}).agrees());
  values_["lambda"] = 0.5;
  const auto other = registration_.compare(first, run(), {});
  EXPECT_FALSE(other.rows.front().agrees());
  EXPECT_FALSE(other.worst.empty());
}

TEST_F(RegistrationAnalysisTest, AlignsTheSameImagesOnce) {
  values_["affine"] = std::string("rigid"), values_["iterations"] = std::string("1");
  const auto first = run();
  EXPECT_THAT(first.notes, testing::Not(Contains(HasSubstr("last run"))));
  values_["lambda"] = 0.1;
  const auto second = run();
  EXPECT_THAT(second.notes, Contains(HasSubstr("last run")));
  EXPECT_EQ(first.files[0].text, second.files[0].text);
}

TEST_F(RegistrationAnalysisTest, GivesTheFieldTheConventionAskedFor) {
  values_["field-convention"] = std::string("slicer");
  const auto result = run();
  const auto& field = std::get<DisplacementLayer>(result.layers.front().content);
  EXPECT_EQ(field.convention, FieldConvention::slicer);
}

TEST_F(RegistrationAnalysisTest, DeformsLabelsAndMeasuresTheirOverlap) {
  put("labels", halves("template"));
  EXPECT_THAT(namesOf(run().layers), Contains("warped_labels"));
  put("reference-labels", halves("reference"));
  const auto result = run();
  const auto& dice = std::get<TableLayer>(layerNamed(result.layers, "dice").content);
  ASSERT_EQ(dice.rows.size(), 2u);
  EXPECT_GT(std::stod(dice.rows[0].back()), 0.8);
  EXPECT_LT(std::stod(dice.rows[0].back()), 1);
  EXPECT_THAT(result.notes, Contains(HasSubstr("Dice")));
}

TEST_F(RegistrationAnalysisTest, StartsFromATransform) {
  Affine shift;
  shift.t = {2, -1, 0.5};
  Layer layer;
  layer.name = "map";
  layer.content = transformTable(shift);
  const auto slot = std::find_if(registration_.inputs.begin(), registration_.inputs.end(),
                                 [](const InputSlot& s) { return s.name == "initial"; });
  ASSERT_NE(slot, registration_.inputs.end());
  EXPECT_TRUE(slot->accepts(layer));
  put("initial", layer);
  values_["iterations"] = std::string("0");
  const auto result = run();
  EXPECT_EQ(result.files[0].name, "affine.txt");
  EXPECT_EQ(result.files[0].text, registration::affineText(shift));
  std::get<TableLayer>(layer.content).columns = {"a", "b", "c", "d"};
  EXPECT_FALSE(slot->accepts(layer)) << "a table that does not say what it maps";
  put("initial", layer);
  EXPECT_THAT(complaint(), HasSubstr("'map' cannot be used as initial transform"));
}

TEST_F(RegistrationAnalysisTest, TakesFurtherChannelsInPairs) {
  values_["iterations"] = std::string("5"), values_["channel-weights"] = std::string("1 0");
  const auto one = registration_.advice(inputs_, defaultsOf(registration_.options));
  put("further-templates", input("reference"));
  EXPECT_THAT(test::errorOf([this] { registration_.advice(inputs_, values_); }),
              HasSubstr("There are 2 templates and 1 reference"));
  EXPECT_THAT(complaint(), HasSubstr("give as many of either"));
  put("further-references", input("template"));
  EXPECT_EQ(registration_.advice(inputs_, values_).empty(), one.empty());
  EXPECT_EQ(run().layers.front().name, "displacement");
  values_["channel-weights"] = std::string("1 0 2");
  EXPECT_THAT(test::errorOf([this] { registration_.advice(inputs_, values_); }),
              HasSubstr("3 channel weights for 2 channels"));
  const auto plain = registration_.memory(inputs_, defaultsOf(registration_.options));
  inputs_.erase("further-templates"), inputs_.erase("further-references");
  EXPECT_LT(registration_.memory(inputs_, defaultsOf(registration_.options)).hostBytes, plain.hostBytes);
}

TEST_F(RegistrationAnalysisTest, CountsVoxelsByWeights) {
  const auto plain = run();
  put("weights", halves("reference"));
  const auto weighted = run();
  const auto field = [](const RunResult& result) -> const std::vector<float>& {
    return std::get<DisplacementLayer>(result.layers.front().content).displacement->values;
  };
  EXPECT_NE(field(weighted), field(plain));
  EXPECT_THAT(registration_.advice(inputs_, values_), HasSubstr("voxels"));
  Layer bad = input("weights");
  bad.content = LabelsLayer{std::make_shared<const Volume<Label>>(Grid{{4, 4, 4}, {}}, 1)};
  put("weights", bad);
  EXPECT_THAT(test::errorOf([this] { registration_.advice(inputs_, values_); }), HasSubstr("reference"));
}

TEST_F(RegistrationAnalysisTest, TellsHowFarLandmarksAre) {
  Layer marks;
  marks.name = "marks";
  marks.content = TableLayer{{"a", "b", "c", "d", "e", "f"}, {{"3", "1", "2", "1", "1", "2"}}};
  put("landmarks", marks);
  const auto result = run();
  const auto& row = std::get<TableLayer>(layerNamed(result.layers, "landmarks").content).rows.at(0);
  EXPECT_EQ(row[1], "2");
  EXPECT_LT(std::stod(row[3]), 1);
  EXPECT_THAT(result.notes, Contains(HasSubstr("The landmark is 2 → 2 → ")));
}

TEST_F(RegistrationAnalysisTest, ShowsLandmarksBeforeARunAndRefusesThoseOutside) {
  EXPECT_TRUE(registration_.inputLayers(inputs_, values_, {}).empty());
  Layer marks;
  marks.name = "marks";
  marks.content = TableLayer{{"a", "b", "c", "d", "e", "f"}, {{"3", "1", "2", "1", "1", "2"}}};
  put("landmarks", marks);
  EXPECT_THAT(registration_.advice(inputs_, values_), HasSubstr("voxels"));
  const auto shown = registration_.inputLayers(inputs_, values_, {});
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_TRUE(isLandmarks(shown[0]));
  EXPECT_EQ(std::get<TableLayer>(shown[0].content).rows.at(0).at(0), "1");
  inputs_.erase("landmarks");
  std::get<TableLayer>(marks.content).rows[0][5] = "900";
  put("landmarks", marks);
  EXPECT_THAT(test::errorOf([this] { registration_.advice(inputs_, values_); }),
              HasSubstr("outside of the reference"));
}

TEST_F(RegistrationAnalysisTest, ShowsTheBiasFieldWhereItIsCorrected) {
  values_["iterations"] = std::string("0");
  EXPECT_THAT(namesOf(run().layers), testing::Not(Contains("bias_field")));
  for (const char* kind : {"fit", "n4"}) {
    values_["bias-field"] = std::string(kind);
    const auto result = run();
    EXPECT_THAT(namesOf(result.layers), Contains("bias_field")) << kind;
    EXPECT_THAT(result.notes, Contains(HasSubstr("multiplied by a bias field"))) << kind;
  }
}

TEST_F(RegistrationAnalysisTest, ShowsTheFieldWhileItRuns) {
  demo_["size"] = std::int64_t(64);  // so that a level takes longer than the interval between previews
  inputs_ = registration_.demo(demo_);
  values_["iterations"] = std::string("1000"), values_["tolerance"] = 0.0;  // stopped by the first preview
  std::vector<std::string> layers, plots;
  std::stop_source stop;
  const auto preview = [&](const std::vector<Layer>& soFar, const std::vector<Plot>& charts) {
    layers = namesOf(soFar);
    for (const auto& plot : charts) plots.push_back(plot.name);
    stop.request_stop();
  };
  EXPECT_THROW(registration_.cpu(inputs_, values_, Progress(stop.get_token(), {}), preview), Cancelled);
  EXPECT_THAT(layers, testing::ElementsAre("displacement", "logjac", "warped"));
  EXPECT_THAT(plots, testing::ElementsAre("Energy"));
}

TEST_F(RegistrationAnalysisTest, NamesThePlotsOfTheResultAsThoseOfThePreview) {
  std::vector<std::string> plots;
  for (const auto& plot : run().plots) plots.push_back(plot.name);
  EXPECT_THAT(plots, testing::ElementsAre("Energy", "log J"));
}

TEST_F(RegistrationAnalysisTest, RefusesLabelsBeforeTheWork) {
  values_["iterations"] = std::string("none");  // the run would fail first
  const Layer good = halves("template");
  put("reference-labels", good);
  EXPECT_THAT(complaint(), HasSubstr("none of the template"));
  Layer bad = input("template");
  bad.name = "tissue";
  put("labels", bad);
  EXPECT_THAT(complaint(), HasSubstr("'tissue' cannot be used as labels"));
  bad.content = LabelsLayer{std::make_shared<const Volume<Label>>(*gridOf(good))};
  put("labels", bad);
  EXPECT_THAT(complaint(), HasSubstr("'tissue' holds no label"));
  bad.content = LabelsLayer{std::make_shared<const Volume<Label>>(Grid{{4, 4, 4}, {}}, 1)};
  put("labels", bad);
  EXPECT_THAT(complaint(), HasSubstr("different grid than the template"));
}

TEST_F(RegistrationAnalysisTest, RefusesATruthThatIsNone) {
  put("truth", halves("reference"));
  EXPECT_THAT(complaint(), HasSubstr("holds no displacement"));
  Layer away = *inputs_.find("truth")->second;
  away.content = DisplacementLayer{std::make_shared<const Series<float>>(Grid{{4, 4, 4}, {}}, 3)};
  put("truth", away);
  EXPECT_THAT(complaint(), HasSubstr("The truth has a different grid"));
}

TEST_F(RegistrationAnalysisTest, RegistersShapesToo) {
  put("template", halves("template"));
  put("reference", halves("reference"));
  inputs_.erase("truth");
  EXPECT_EQ(run().layers.front().name, "displacement");
}

TEST_F(RegistrationAnalysisTest, OffersTissueMapsAndDoesNotTakeThemUnasked) {
  Layer scan = input("template"), map = scan;
  auto shares = std::make_shared<Series<float>>(std::get<VolumeLayer>(scan.content).series->grid, 1);
  std::get<VolumeLayer>(map.content).series = shares;
  scan.name = "single_subj_T1", map.name = "white";
  for (std::size_t i = 0; i < 2; ++i) {
    const InputSlot& slot = registration_.inputs[i];
    EXPECT_TRUE(slot.unasked(scan) && slot.accepts(scan)) << slot.name;
    EXPECT_TRUE(!slot.unasked(map) && slot.accepts(map)) << slot.name;
  }
}

TEST_F(RegistrationAnalysisTest, SaysWhatARunWouldDo) {
  EXPECT_THAT(registration_.advice(inputs_, values_), HasSubstr("32 × 32 × 32 voxels"));
  values_["iterations"] = std::string("many");
  EXPECT_THAT(test::errorOf([this] { registration_.advice(inputs_, values_); }), HasSubstr("'many'"));
  const auto need = registration_.memory(inputs_, values_);
  EXPECT_GT(need.hostBytes, 32 * 32 * 32 * 50.0);
  EXPECT_LT(need.besideDeviceBytes, need.hostBytes) << "what images are compared by lies on the device";
  EXPECT_GT(need.besideDeviceBytes, 32 * 32 * 32 * 50.0);
  if (deviceReport().reason != "built without CUDA") {
    EXPECT_GT(need.deviceBytes, 32 * 32 * 32 * 20.0);
  }
}

}  // namespace
}  // namespace sulcus::app::analyses
