#include "core/registration/results/registration_maps.h"

#include "core/registration/results/registration_charts.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RegistrationResult some() {
  Grid grid;
  grid.size = {10, 1, 1};
  RegistrationResult result;
  result.displacement = result.inverse = Series<float>(grid, 3, 1.0F);
  result.warped = result.aligned = result.logJacobian = result.inverseResidual = Volume<float>(grid);
  for (int x = 0; x < 10; ++x) {
    result.warped(x, 0, 0) = x < 5 ? 0.0F : 100.0F;
    result.logJacobian(x, 0, 0) = x < 5 ? -3.0F : 0.1F * float(x - 5);
  }
  result.iterations = {{0, 0, 2, 3, 2.06, 1, 0, 0},
                       {0, 1, 1, 4, 1.08, 0.9, 0.5, 1},
                       {1, 0, 1.5, 4, 1.58, 0.9, 0, 0},
                       {1, 1, 1.25, 5, 1.35, 0.8, 0.5, 0}};
  result.retries = 1;
  return result;
}

std::shared_ptr<const RegistrationResult> shared(const RegistrationResult& result) {
  return std::make_shared<const RegistrationResult>(result);
}

std::vector<Layer> layersOf(const RegistrationResult& result, FieldConvention convention) {
  return registrationLayers(shared(result), convention);
}

std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  for (const auto& layer : layers) names.push_back(layer.name);
  return names;
}

TEST(RegistrationMaps, AreNamedAsTheirFiles) {
  auto result = some();
  EXPECT_THAT(
      namesOf(layersOf(result, FieldConvention::itk)),
      ElementsAre("displacement", "logjac", "inverse", "inverse_residual", "aligned", "warped", "energy"));
  result.localCorrelation = result.biasField = result.warpedReference = result.warped;
  const auto all = namesOf(layersOf(result, FieldConvention::itk));
  EXPECT_EQ(all.end()[-2], "warped") << "opaque and shown at first: nothing may lie below it";
  EXPECT_THAT(all, testing::IsSupersetOf({"local_correlation", "bias_field", "warped_reference"}));
  result.foldedCells = 2, result.folds = Mask(result.displacement.grid, 1);
  EXPECT_THAT(namesOf(layersOf(result, FieldConvention::itk)), testing::Contains("folds"));
}

TEST(RegistrationMaps, CarryTheConventionTheyAreWrittenBy) {
  for (const auto convention : {FieldConvention::itk, FieldConvention::slicer})
    for (const auto& layer : layersOf(some(), convention))
      if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) {
        EXPECT_EQ(field->convention, convention) << layer.name;
      }
}

TEST(RegistrationMaps, ShowLogJAroundZero) {
  for (const auto& layer : layersOf(some(), FieldConvention::itk)) {
    if (layer.name != "logjac") continue;
    ASSERT_TRUE(layer.display.range);
    EXPECT_EQ(layer.display.range->low, -layer.display.range->high);
    EXPECT_GT(layer.display.range->high, 2);
    EXPECT_TRUE(layer.display.colorBar);
  }
}

TEST(RegistrationMaps, ShowTheBiasFieldAroundOneAndLocalCorrelationFromNothingToOne) {
  auto result = some();
  result.biasField = result.localCorrelation = Volume<float>(result.displacement.grid, 0.9F);
  result.biasField(0, 0, 0) = 1.4F;
  const auto layers = layersOf(result, FieldConvention::itk);
  const auto named = [&](const char* name) {
    return *std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.name == name; });
  };
  const Layer bias = named("bias_field"), correlation = named("local_correlation");
  ASSERT_TRUE(bias.display.range && correlation.display.range);
  EXPECT_NEAR(bias.display.range->low + bias.display.range->high, 2, 1e-9);
  EXPECT_GE(bias.display.range->high, 1.1);
  EXPECT_EQ(correlation.display.range->low, 0);
  EXPECT_EQ(correlation.display.range->high, 1);
}

TEST(RegistrationMaps, SayWhatIsNotDefinedAsThat) {
  RegistrationResult result = some();
  result.before.nmse = result.after.nmse = 0;
  EXPECT_THAT(registrationJson(result), HasSubstr("\"deformed\": {\"correlation\": null, \"nmse\": 0}"));
  EXPECT_THAT(registrationSummary(result).front(), HasSubstr("Correlation not defined, NMSE 0 → 0"));
  result.after.correlation = 0.5;
  EXPECT_THAT(registrationSummary(result).front(), HasSubstr("Correlation not defined → 0.5, NMSE"));
}

TEST(RegistrationMaps, ShowTheTemplateAlikeBeforeAndAfter) {
  auto result = some();
  result.aligned(0, 0, 0) = 1000;
  const auto layers = layersOf(result, FieldConvention::itk);
  ASSERT_EQ(layers[4].name, "aligned");
  ASSERT_TRUE(layers[4].display.range && layers[5].display.range);
  EXPECT_EQ(layers[4].display.range->high, layers[5].display.range->high);
}

TEST(RegistrationMaps, SayThatThePreviewOfASymmetricRunIsHalfway) {
  const auto result = some();
  for (const bool halfway : {false, true})
    for (const auto& layer : registrationLayers(
             {result.displacement, result.warped, result.logJacobian, 0, result.iterations, halfway}, {}))
      EXPECT_EQ(layer.notes.size(), halfway ? 1u : 0u) << layer.name;
}

TEST(RegistrationMaps, WarnOfFoldsDuringTheRun) {
  const auto result = some();
  const auto layers = registrationLayers(
      {result.displacement, result.warped, result.logJacobian, 1, result.iterations, false}, {});
  ASSERT_EQ(layers.size(), 3u);
  EXPECT_EQ(layers[1].name, "logjac");
  EXPECT_TRUE(layers[2].display.visible) << "what is not seen warns nobody";
  ASSERT_EQ(layers[2].notes.size(), 1u);
  EXPECT_TRUE(layers[2].notes.front().line().starts_with("Warning: 1 cell folded so far:"));
}

TEST(RegistrationMaps, ListEveryIteration) {
  const auto table = registrationEnergyTable(some().iterations);
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.columns.size(), table.rows[0].size());
  EXPECT_THAT(table.rows[1], ElementsAre("1", "1", "1", "4", "1.08", "0.9", "0.5", "1", "0"));
  EXPECT_EQ(table.rows[2][0], "2");
}

TEST(RegistrationMaps, WriteTheAffineSoThatItCanBeReadBack) {
  Affine map;
  map.m[0] = {1.0 / 3, -2, 1e-9}, map.t = {1, 22.25, -0.125};
  std::istringstream file(affineText(map));
  std::string comment;
  std::getline(file, comment);
  EXPECT_THAT(comment, testing::AllOf(HasSubstr("# Template"), HasSubstr("RAS"), HasSubstr("mm")));
  std::vector<double> numbers;
  for (double value = 0; file >> value;) numbers.push_back(value);
  ASSERT_EQ(numbers.size(), 16u);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(numbers[std::size_t(4 * i + j)], map.m[i][j]);
    EXPECT_EQ(numbers[std::size_t(4 * i + 3)], map.t[i]);
  }
  EXPECT_EQ(numbers[15], 1);
}

TEST(RegistrationMaps, ListTheOverlapOfEachLabel) {
  const auto table = diceTable({{3, 6, 2, 2}, {17, 1, 1, 0}});
  EXPECT_THAT(table.rows[0], ElementsAre("3", "6", "2", "2", "0.5"));
  EXPECT_THAT(table.rows[1], ElementsAre("17", "1", "1", "0", "0"));
}

TEST(RegistrationMaps, SayWhatCameOut) {
  auto result = some();
  result.before = {0.5, 1.25}, result.after = {0.875, 0.25};
  const auto sentences = registrationSummary(result);
  EXPECT_THAT(sentences[0], testing::AllOf(HasSubstr("0.5 → 0.875"), HasSubstr("1.25 → 0.25")));
  EXPECT_EQ(sentences[2], "2 iterations, 1 step halved.");
  result.iterations[1].held = 3;
  EXPECT_THAT(registrationSummary(result)[2], HasSubstr("halved; in 1 of them voxels"));
  EXPECT_EQ(registrationEnergyTable(result.iterations).rows[1].back(), "3");
}

TEST(RegistrationMaps, ReportLandmarksIfThereAreAny) {
  auto result = some();
  EXPECT_THAT(registrationJson(result), testing::Not(HasSubstr("landmarks")));
  EXPECT_EQ(registrationEnergyTable(result.iterations).columns.back(), "held");
  result.landmarks = {{"AC", 4, 2, 0.5}, {"PC", 8, 3, 1}};
  result.iterations[1].landmarks = 0.25;
  EXPECT_THAT(registrationJson(result),
              HasSubstr("\"landmarks\": {\"count\": 2, \"before\": {\"mean_mm\": 6, \"largest_mm\": 8}"));
  EXPECT_THAT(registrationSummary(result).back(), HasSubstr("6 (8) → 2.5 (3) → 0.75 (1) mm"));
  EXPECT_THAT(namesOf(layersOf(result, FieldConvention::itk)), testing::Contains("landmarks"));
  EXPECT_EQ(registrationEnergyTable(result.iterations).rows[1].back(), "0.25");
  EXPECT_EQ(registrationEnergyPlot(result.iterations, 0.02).make({}).series[3].name, "landmarks");
}

TEST(RegistrationCharts, AddTheEnergysParts) {
  const auto chart = registrationEnergyPlot(some().iterations, 0.02).make({});
  ASSERT_EQ(chart.series.size(), 4u);
  EXPECT_THAT(chart.series[0].x, ElementsAre(0, 1, 1, 2));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(chart.series[0].y[i], chart.series[1].y[i] + chart.series[2].y[i], 1e-12);
  EXPECT_THAT(chart.series[3].x, ElementsAre(1)) << "where the second level begins";
}

TEST(RegistrationCharts, NameTheBiasAsTheFormDoes) {
  const auto chart = registrationEnergyPlot(some().iterations, 0.02).make({});
  EXPECT_EQ(chart.series[2].name, "λ · bias");
}

TEST(RegistrationCharts, CountLogJInTheForegroundOnly) {
  const auto chart = logJacobianPlot(shared(some())).make({});
  ASSERT_EQ(chart.series.size(), 2u);
  double area = 0;
  const auto& bars = chart.series[0];
  for (const double density : bars.y) area += density * (bars.x[1] - bars.x[0]);
  EXPECT_NEAR(area, 1, 1e-9);
  EXPECT_GT(bars.x.front(), -0.1) << "-3 lies in the background";
  EXPECT_NEAR(chart.series[1].x[0], 0.2, 1e-6);
  EXPECT_THAT(chart.title, HasSubstr("mean 0.2"));
}

TEST(RegistrationCharts, SayWhenThereIsNothingToShow) {
  auto result = some();
  std::fill(result.warped.values.begin(), result.warped.values.end(), 1.0F);
  EXPECT_TRUE(logJacobianPlot(shared(result)).make({}).series.empty());
  EXPECT_TRUE(registrationEnergyPlot({}, 0.02).make({}).series[0].x.empty());
}

}  // namespace
}  // namespace sulcus::registration
