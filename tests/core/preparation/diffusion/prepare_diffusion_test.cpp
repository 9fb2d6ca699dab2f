#include "core/preparation/diffusion/prepare_diffusion.h"

#include "tests/core/preparation/diffusion/moving_fibers.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::StartsWith;

double distanceTo(const Series<float>& a, const Series<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::pow(double(a.values[i]) - b.values[i], 2);
  return std::sqrt(sum / double(a.values.size()));
}

TEST(PrepareDiffusionTest, TakesNoiseAwayFromAHeadThatKeptStill) {
  const MovingFibers head({24, 26, 18}, 4, 2, 20, 1000);
  const std::vector<Motion> none(22);
  const Series<float> clean = head.scan(none, 1000, 1), noisy = head.scan(none, 40, 1);
  const PreparedDiffusion prepared =
      prepareDiffusion({std::make_shared<const Series<float>>(noisy), head.gradients()}, {});
  EXPECT_LT(distanceTo(*prepared.dwi, clean), 0.9 * distanceTo(noisy, clean));
  EXPECT_THAT(prepared.notes[0], StartsWith("Noise was removed"));
}

TEST(PrepareDiffusionTest, CorrectsEddyCurrentsAlongAKnownAxisAlone) {
  const MovingFibers head({20, 22, 16}, 4, 1, 14, 1000);
  const auto series = std::make_shared<const Series<float>>(head.scan(std::vector<Motion>(15), 40, 1));
  DiffusionSteps steps;
  steps.noise = steps.ringing = steps.drift = false;
  const PreparedDiffusion known = prepareDiffusion({series, head.gradients(), {}, 1}, {}, steps);
  EXPECT_EQ(known.eddy.size(), 15u);
  const TableLayer table = motionTable(known);
  EXPECT_EQ(table.columns.back(), "eddy_yz");
  EXPECT_EQ(table.rows[3].size(), table.columns.size());
  const PreparedDiffusion unknown = prepareDiffusion({series, head.gradients()}, {}, steps);
  EXPECT_TRUE(unknown.eddy.empty());
  EXPECT_THAT(unknown.notes, Contains(StartsWith("Eddy currents were not corrected: the JSON file")));
  steps.eddy = false;
  const PreparedDiffusion off = prepareDiffusion({series, head.gradients(), {}, 1}, {}, steps);
  EXPECT_TRUE(off.eddy.empty());
  EXPECT_EQ(motionTable(off).columns.back(), "lost_slices");
}

TEST(PrepareDiffusionTest, SaysWhatCouldNotBeDone) {
  const MovingFibers head({7, 26, 1}, 4, 1, 5, 1000);
  const Series<float> series = head.scan(std::vector<Motion>(6), 40, 1);
  const PreparedDiffusion prepared =
      prepareDiffusion({std::make_shared<const Series<float>>(series), head.gradients()}, {});
  EXPECT_THAT(prepared.notes, ElementsAre(StartsWith("Noise was removed"),
                                          StartsWith("Warning: Gibbs ringing was not removed."),
                                          StartsWith("Warning: Motion was not corrected.")));
}

}  // namespace
}  // namespace sulcus::preparation
