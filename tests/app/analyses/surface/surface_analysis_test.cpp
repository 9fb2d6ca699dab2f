#include "app/analyses/surface/surface_analysis.h"

#include "core/base/error.h"
#include "core/surface/surface_maps.h"
#include "core/surface/surface_report.h"
#include "tests/app/analyses/analysis_runs.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sulcus::app::analyses {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Small noisy blocks, small patches.
class SurfaceAnalysisTest : public testing::Test {
 protected:
  SurfaceAnalysisTest() {
    demo_["size"] = std::int64_t(32);
    inputs_ = surface_.demo(demo_);
    values_["patch"] = std::int64_t(3), values_["neighbours"] = std::int64_t(24);
    values_["iterations"] = std::int64_t(4);
  }
  RunResult run() const { return surface_.cpu(inputs_, values_, {}, {}); }
  std::string complaint() const {
    return test::errorOf([this] { run(); });
  }
  /// Gives only this surface, and no truth.
  void give(const std::string& slot, Layer layer) {
    inputs_.clear();
    add(slot, std::move(layer));
  }
  void add(const std::string& slot, Layer layer) {
    inputs_.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
  }
  /// A function of the distance from the center, on the grid of the demo.
  static Layer image(const std::string& name, float (*at)(double radius)) {
    Grid grid{{32, 32, 32}, {}};
    for (int i = 0; i < 3; ++i) grid.worldFromVoxel.t[i] = -15.5;
    Volume<float> values(grid);
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> v = grid.voxel(i);
      const Vec3<double> p{double(v.x), double(v.y), double(v.z)};
      values.values[std::size_t(i)] = at(norm(grid.worldFromVoxel.point(p)));
    }
    return mapLayer(name, "", "gray", Series<float>(std::move(values)));
  }
  static const Mesh& meshIn(const RunResult& result, const std::string& name) {
    return *std::get<MeshLayer>(layerNamed(result.layers, name).content).mesh;
  }
  static const std::vector<float>& phiIn(const std::vector<Layer>& layers) {
    return std::get<VolumeLayer>(layerNamed(layers, "phi").content).series->values;
  }

  Analysis surface_ = surfaceAnalysis();
  OptionValues demo_ = defaultsOf(surface_.demoOptions);
  AnalysisInputs inputs_;
  OptionValues values_ = defaultsOf(surface_.options);
};

float brightBall(double radius) { return float(200 - 10 * radius); }  // 100 at 10 mm
float ballDistance(double radius) { return float(radius - 10); }
float emptyMask(double) { return 0; }
float fullMask(double) { return 1; }
float twoLabels(double radius) { return radius < 5 ? 3.F : radius < 10 ? 7.F : 0.F; }

TEST_F(SurfaceAnalysisTest, ShowsTheSurfaceColoredByWhatItMoved) {
  const auto result = run();
  EXPECT_THAT(namesOf(result.layers),
              testing::ElementsAre("surface", "input_surface", "phi", "mask", "energy"));
  for (const auto& layer : result.layers)
    EXPECT_EQ(layer.display.visible, layer.name == "surface") << layer.name;
  const Mesh& mesh = meshIn(result, "surface");
  ASSERT_FALSE(mesh.points.empty());
  ASSERT_EQ(mesh.pointScalars.begin()->first, "displacement");
  ASSERT_EQ(mesh.pointScalars.begin()->second.size(), mesh.points.size());
  EXPECT_TRUE(meshIn(result, "input_surface").pointScalars.empty());
  const auto range = result.layers.front().display.range;
  ASSERT_TRUE(range);
  EXPECT_EQ(range->low, -range->high);
  EXPECT_TRUE(result.layers.front().display.colorBar);
  EXPECT_THAT(result.notes, Contains(HasSubstr("mm²")));
  EXPECT_GT(result.items, 1000);
  EXPECT_EQ(result.itemName, "voxels");
}

TEST_F(SurfaceAnalysisTest, MarksWhereTheLevelSetIsNegative) {
  const auto result = run();
  const auto& phi = phiIn(result.layers);
  const auto& mask = std::get<LabelsLayer>(layerNamed(result.layers, "mask").content).labels->values;
  for (std::size_t i = 0; i < phi.size(); ++i) ASSERT_EQ(mask[i], phi[i] < 0) << i;
}

TEST_F(SurfaceAnalysisTest, ReportsWhatItIsMadeOf) {
  const auto result = run();
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].name, "report.json");
  const auto report = nlohmann::json::parse(result.files[0].text);
  EXPECT_EQ(report["band_voxels"], result.items);
  EXPECT_EQ(report["neighbours"], 24);
  EXPECT_TRUE(report["c1_mm2"].is_null()) << "it is off";
  EXPECT_GT(report["c2_mm2"], 0);
  ASSERT_EQ(report["iterations"].size(), 4u);
  EXPECT_LT(report["iterations"][3]["energy_mm2"], report["iterations"][0]["energy_mm2"]);
  EXPECT_LT(report["surface"]["area_mm2"], report["input_surface"]["area_mm2"]) << "noise is area";
  EXPECT_GT(report["surface"]["volume_mm3"], 0);
  EXPECT_LE(report["distance_to_input_mm"]["mean"], report["distance_to_input_mm"]["hausdorff"]);
  EXPECT_LT(report["distance_to_truth_mm"]["mean"], report["distance_of_input_to_truth_mm"]["mean"]);
  EXPECT_EQ(report["true_surface"]["components"], 1);
}

TEST_F(SurfaceAnalysisTest, ComesNearerToTheTruth) {
  const auto rows = surface_.compareWithTruth(run(), inputs_, {});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_LT(rows[0].mean, rows[1].mean);
  EXPECT_THAT(rows[3].quantity, HasSubstr("true 1, 0, 0"));
  inputs_.erase("truth");
  EXPECT_TRUE(surface_.compareWithTruth(run(), inputs_, {}).empty());
}

TEST_F(SurfaceAnalysisTest, TakesATruthAsLevelSetMaskOrMesh) {
  const Layer levelSet = image("level", ballDistance);
  give("phi", levelSet);
  const auto error = [&](const Layer& truth) {
    inputs_.erase("truth");
    add("truth", truth);
    return surface_.compareWithTruth(run(), inputs_, {}).front().mean;
  };
  values_["iterations"] = std::int64_t(1);
  const double against = error(levelSet);
  EXPECT_LT(against, 0.2);
  const auto result = run();
  EXPECT_NEAR(error(surface::plainSurfaceLayer(
                  "mesh", std::make_shared<const Mesh>(meshIn(result, "input_surface")))),
              against, 1e-6)
      << "the same surface as a mesh";
  EXPECT_LT(error(image("mask", [](double radius) { return float(radius < 10); })), 0.5);
}

TEST_F(SurfaceAnalysisTest, AgreesWithItselfAndNotWithOtherWeights) {
  const auto first = run(), again = run();
  const auto same = surface_.compare(first, again, {});
  EXPECT_TRUE(same.agrees());
  ASSERT_TRUE(same.before);
  EXPECT_EQ(kindOf(*same.before), "surface");
  EXPECT_EQ(same.rows[0].maximum, 0);
  values_["c2"] = 1.0;
  const auto other = surface_.compare(first, run(), {});
  EXPECT_FALSE(other.rows[0].agrees());
  EXPECT_EQ(other.rows[1].shareWithin, 1) << "the search does not depend on the weights";
  EXPECT_FALSE(other.worst.empty());
  values_["delta"] = 2.0;
  EXPECT_FALSE(surface_.compare(first, run(), {}).rows[1].agrees()) << "another band";
}

TEST_F(SurfaceAnalysisTest, RefusesToCompareOtherGrids) {
  const auto first = run();
  demo_["size"] = std::int64_t(40);
  inputs_ = surface_.demo(demo_);
  const auto second = run();
  EXPECT_THAT(test::errorOf([&] { surface_.compare(first, second, {}); }), HasSubstr("different grids"));
}

TEST_F(SurfaceAnalysisTest, ChangesAFinishedResultAsANewRunWould) {
  const auto result = run();
  struct Change {
    const char* option;
    OptionValue value;
  };
  for (const Change& change : {Change{"iterations", std::int64_t(2)}, Change{"iterations", std::int64_t(7)},
                               Change{"weights", std::string("paper")}, Change{"c2", 5.0}, Change{"c1", 30.0},
                               Change{"redistance", std::int64_t(2)}}) {
    SCOPED_TRACE(change.option);
    auto changed = values_;
    changed[change.option] = change.value;
    const auto adjusted = result.adjust(changed, {});
    const auto again = surface_.cpu(inputs_, changed, {}, {});
    EXPECT_EQ(phiIn(adjusted), phiIn(again.layers));
    EXPECT_NE(phiIn(adjusted), phiIn(result.layers));
    EXPECT_EQ(std::get<TableLayer>(layerNamed(adjusted, "energy").content).rows,
              std::get<TableLayer>(layerNamed(again.layers, "energy").content).rows);
  }
  EXPECT_EQ(phiIn(result.adjust(values_, {})), phiIn(result.layers)) << "and back";
  EXPECT_EQ(phiIn(result.adjust({}, {})), phiIn(result.layers)) << "what is not said is as it was";
}

TEST_F(SurfaceAnalysisTest, KeepsTheEarlierPassesWhenTheLastOneIsChanged) {
  values_["passes"] = std::int64_t(2);
  const auto result = run();
  values_["iterations"] = std::int64_t(2);
  const auto layers = result.adjust(values_, {});
  const auto& rows = std::get<TableLayer>(layerNamed(layers, "energy").content).rows;
  ASSERT_EQ(rows.size(), 6u) << "four of the first pass, two of the second";
  EXPECT_EQ(rows[3][0], "1");
  EXPECT_EQ(rows[4][0], "2");
}

TEST_F(SurfaceAnalysisTest, ComputesTheSameDistanceOnce) {
  const auto first = run();
  EXPECT_EQ(first.stages.front().name, "Signed distance");
  EXPECT_THAT(first.notes, testing::Not(Contains(HasSubstr("last run"))));
  values_["neighbours"] = std::int64_t(16);
  const auto second = run();
  EXPECT_THAT(second.notes, Contains(HasSubstr("last run")));
  EXPECT_EQ(second.stages.front().seconds, first.stages.front().seconds);
}

TEST_F(SurfaceAnalysisTest, ShowsTheSurfaceAfterEachIterationWhileItRuns) {
  std::vector<std::string> layers;
  std::stop_source stop;
  const auto preview = [&](const std::vector<Layer>& soFar, const std::vector<Plot>&) {
    layers = namesOf(soFar);
    stop.request_stop();
  };
  EXPECT_THROW(surface_.cpu(inputs_, values_, Progress(stop.get_token(), {}), preview), Cancelled);
  EXPECT_THAT(layers, testing::ElementsAre("surface", "phi"));
}

TEST_F(SurfaceAnalysisTest, PlotsEnergyAndDisplacement) {
  const auto result = run();
  ASSERT_EQ(result.plots.size(), 2u);
  EXPECT_EQ(result.plots[0].name, "Energy");
  EXPECT_EQ(result.plots[0].make({}).series.at(0).y.size(), 4u);
  EXPECT_EQ(result.plots[1].name, "Displacement");
  EXPECT_FALSE(result.plots[1].make({}).series.empty());
}

TEST_F(SurfaceAnalysisTest, FindsABallInAnImageAMeshAndALevelSet) {
  const auto radiusOf = [](const RunResult& result) {
    double sum = 0;
    const Mesh& mesh = meshIn(result, "surface");
    for (const auto& p : mesh.points) sum += norm(Vec3<double>{p.x, p.y, p.z});
    return sum / double(mesh.points.size());
  };
  give("image", image("ball", brightBall));
  values_["threshold"] = 100.0;
  const auto ofImage = run();
  EXPECT_NEAR(radiusOf(ofImage), 10, 0.2);
  give("mesh", layerNamed(ofImage.layers, "input_surface"));
  EXPECT_NEAR(radiusOf(run()), 10, 0.2);
  give("phi", image("distance", ballDistance));
  EXPECT_NEAR(radiusOf(run()), 10, 0.2);
}

TEST_F(SurfaceAnalysisTest, SaysHowManyVoxelsOfAnImageHaveNoValue) {
  give("image", image("ball", [](double radius) {
         return radius > 14 ? std::numeric_limits<float>::quiet_NaN() : brightBall(radius);
       }));
  values_["threshold"] = 100.0;
  EXPECT_THAT(run().notes, Contains(HasSubstr("are not finite and count as outside")));
}

TEST_F(SurfaceAnalysisTest, TakesOneLabelOrAll) {
  give("mask", image("labels", twoLabels));
  const auto volume = [this] {
    const auto result = run();
    return nlohmann::json::parse(result.files[0].text)["input_surface"]["volume_mm3"].get<double>();
  };
  const double all = volume();
  values_["label"] = std::int64_t(3);
  const double inner = volume();
  EXPECT_NEAR(inner / all, 1.0 / 8, 0.02);
  values_["label"] = std::int64_t(4);
  EXPECT_THAT(complaint(), HasSubstr("'labels' has no label 4 (its labels are 3, 7)"));
  give("mask", image("distance", ballDistance));
  EXPECT_THAT(complaint(), HasSubstr("it holds no labels"));
}

TEST_F(SurfaceAnalysisTest, WantsExactlyOneSurface) {
  const auto expectRefused = [this](const char* words) {
    test::expectError([this] { run(); }, {words}, ErrorKind::usage);
  };
  add("image", image("ball", brightBall));
  expectRefused("More than one surface was given: mask and image");
  inputs_.clear();
  expectRefused("No surface was given");
}

TEST_F(SurfaceAnalysisTest, RefusesWhatHasNoSurface) {
  give("mask", image("void", emptyMask));
  EXPECT_THAT(complaint(), HasSubstr("The mask 'void' is empty"));
  give("mask", image("all", fullMask));
  EXPECT_THAT(complaint(), HasSubstr("The mask 'all' is full"));
  give("image", image("ball", brightBall));
  values_["threshold"] = 1000.0;
  EXPECT_THAT(complaint(),
              HasSubstr("The threshold 1000 lies outside the image 'ball' (its values are from "));
  give("image", image("nothing", [](double) { return std::numeric_limits<float>::infinity(); }));
  EXPECT_THAT(complaint(), HasSubstr("holds no finite value"));
  give("phi", image("bad", [](double radius) { return radius < 3 ? NAN : ballDistance(radius); }));
  EXPECT_THAT(complaint(), HasSubstr("not a number"));
  give("phi", image("endless", [](double radius) { return radius < 12 ? ballDistance(radius) : INFINITY; }));
  EXPECT_THAT(complaint(), HasSubstr("infinite"));
  give("phi", image("outside", [](double) { return 1.F; }));
  EXPECT_THAT(complaint(), HasSubstr("Nothing lies inside the surface"));
  Layer many = image("series", brightBall);
  many.content = VolumeLayer{std::make_shared<const Series<float>>(*gridOf(many), 5), {}, 0, {}};
  for (const char* slot : {"mask", "image", "phi"}) {
    give(slot, many);
    EXPECT_THAT(complaint(), HasSubstr("'series' holds 5 volumes")) << slot;
  }
  give("mesh", image("ball", brightBall));
  EXPECT_THAT(complaint(), HasSubstr("'ball' cannot be used as mesh"));
}

TEST_F(SurfaceAnalysisTest, RefusesAnOpenMesh) {
  Mesh mesh = meshIn(run(), "input_surface");
  mesh.triangles.pop_back();
  give("mesh", surface::plainSurfaceLayer("torn", std::make_shared<const Mesh>(std::move(mesh))));
  EXPECT_THAT(complaint(), HasSubstr("open"));
}

TEST_F(SurfaceAnalysisTest, RefusesATruthThatIsNone) {
  inputs_.erase("truth");
  Layer away = image("away", emptyMask);
  away.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{4, 4, 4}, {}}, 1), {}, 0, {}};
  add("truth", away);
  EXPECT_THAT(complaint(), HasSubstr("The truth has a different grid"));
  inputs_.erase("truth");
  add("truth", image("void", emptyMask));
  EXPECT_THAT(complaint(), HasSubstr("'void' is empty"));
}

TEST_F(SurfaceAnalysisTest, OffersALayerWhereItFits) {
  const auto offered = [this](const Layer& layer) {
    std::vector<std::string> slots;
    for (const auto& slot : surface_.inputs)
      if (slot.accepts(layer)) slots.push_back(slot.name);
    return slots;
  };
  EXPECT_THAT(offered(image("labels", twoLabels)), testing::ElementsAre("mask", "image", "phi", "truth"));
  EXPECT_THAT(offered(image("scan", brightBall)), testing::ElementsAre("image", "phi", "truth"));
  EXPECT_THAT(offered(*inputs_.find("mask")->second), testing::ElementsAre("mask", "truth"));
  EXPECT_THAT(offered(surface::plainSurfaceLayer("mesh", std::make_shared<const Mesh>())),
              testing::ElementsAre("mesh", "truth"));
}

TEST_F(SurfaceAnalysisTest, ShowsTheSurfaceOfTheInputBeforeARun) {
  const auto pointsOf = [this] {
    const auto layers = surface_.inputLayers(inputs_, values_, {});
    return layers.empty()
               ? std::size_t(0)
               : std::get<MeshLayer>(layerNamed(layers, "input_surface").content).mesh->points.size();
  };
  EXPECT_GT(pointsOf(), 100u);
  give("image", image("ball", brightBall));
  values_["threshold"] = 100.0;
  const std::size_t large = pointsOf();
  values_["threshold"] = 150.0;
  const std::size_t small = pointsOf();
  EXPECT_GT(large, 2 * small);
  EXPECT_GT(small, 0u);
  values_["threshold"] = 1e6;
  EXPECT_EQ(pointsOf(), 0u) << "a run says why";
}

TEST_F(SurfaceAnalysisTest, KnowsWhereAThresholdIsWorthChoosing) {
  add("image", image("ball", brightBall));
  const auto spans = surface_.spans(inputs_);
  EXPECT_LT(spans.at("threshold").low, 0);
  EXPECT_NEAR(spans.at("threshold").high, brightBall(std::sqrt(0.75)), 1e-3);
  EXPECT_FALSE(spans.contains("label")) << "of one label there is nothing to choose";
  give("mask", image("labels", twoLabels));
  EXPECT_EQ(surface_.spans(inputs_).at("label"), (Range{0, 7}));
}

TEST_F(SurfaceAnalysisTest, EstimatesTheBandBeforeARun) {
  give("image", image("ball", brightBall));
  values_["threshold"] = 100.0;
  EXPECT_THAT(surface_.advice(inputs_, values_), HasSubstr("'ball' above 100 (its values: "));
  const double estimated = surface_.memory(inputs_, values_).hostBytes;
  values_["delta"] = 6.0;
  EXPECT_GT(surface_.memory(inputs_, values_).hostBytes, 1.5 * estimated);
  give("mask", image("labels", twoLabels));
  EXPECT_THAT(surface_.advice(inputs_, values_), HasSubstr("(its labels: 3, 7)"));
  inputs_.clear();
  EXPECT_THAT(test::errorOf([this] { surface_.advice(inputs_, values_); }),
              HasSubstr("No surface was given"));
}

}  // namespace
}  // namespace sulcus::app::analyses
