#include "core/preparation/preparation_charts.h"

#include "core/phantom/preparation_phantom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

using testing::ElementsAre;

std::vector<std::string> namesOf(const std::vector<Plot>& plots) {
  std::vector<std::string> names;
  for (const Plot& plot : plots) names.push_back(plot.name);
  return names;
}

TEST(PreparationCharts, ShowMotionAndTheCarpetOfAFunctionalSeries) {
  auto prepared = std::make_shared<PreparedSeries>();
  prepared->motion.motion = {{}, {{1, 0, 0}, {0, 0.1, 0}}, {}};
  prepared->displacement = {0, 6, 6};
  prepared->standardDvars = {0, 2, 2};
  Series<float> series(Grid{{2, 1, 1}, {}}, 3);
  series.values = {1, 7, 2, 7, 300, 7};
  prepared->motion.series = std::make_shared<const Series<float>>(series);
  Mask mask(series.grid);
  mask.values = {1, 0};
  prepared->mask = std::make_shared<const Mask>(mask);
  const auto plots = preparationPlots(prepared);
  EXPECT_THAT(namesOf(plots), ElementsAre("Motion", "Displacement", "DVARS", "Carpet"));
  const Chart motion = plots[0].make({});
  ASSERT_EQ(motion.series.size(), 6u);
  EXPECT_EQ(motion.series[0].name, "trans_x");
  EXPECT_THAT(motion.series[0].y, ElementsAre(0, 1, 0));
  EXPECT_THAT(motion.series[4].y, ElementsAre(0, 5, 0)) << "rotations at 50 mm";
  const Chart carpet = plots[3].make({});
  ASSERT_TRUE(carpet.matrix);
  EXPECT_EQ(carpet.matrix->columns.size(), 3u);
  ASSERT_EQ(carpet.matrix->rows.size(), 1u) << "one voxel is in the mask";
  EXPECT_LE(carpet.matrix->rows[0][2], 2) << "white is 2 s.d.";
}

TEST(PreparationCharts, ShowLostSlicesOfADiffusionSeries) {
  PreparedDiffusion prepared;
  EXPECT_TRUE(diffusionPlots(prepared).empty()) << "motion was left in";
  prepared.motion.resize(3);
  EXPECT_THAT(namesOf(diffusionPlots(prepared)), ElementsAre("Motion", "Displacement"));
  prepared.eddy.resize(3);
  EXPECT_EQ(diffusionPlots(prepared).size(), 2u) << "there are none";
  prepared.eddy[1][2] = 0.5;
  const Chart eddy = diffusionPlots(prepared).back().make({});
  EXPECT_EQ(eddy.series.size(), std::size_t(kEddyTerms));
  EXPECT_THAT(eddy.series[2].y, ElementsAre(0, 0.5, 0));
  prepared.eddy.clear();
  prepared.lost = {{1, 4}, {1, 5}, {2, 0}};
  const auto plots = diffusionPlots(prepared);
  ASSERT_THAT(namesOf(plots), ElementsAre("Motion", "Displacement", "Lost slices"));
  EXPECT_THAT(plots[2].make({}).series[0].y, ElementsAre(0, 2, 1));
}

}  // namespace
}  // namespace sulcus::preparation
