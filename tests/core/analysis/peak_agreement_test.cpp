#include "core/analysis/peak_agreement.h"

#include "core/base/error.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Grid gridOf(int nx) {
  Grid grid;
  grid.size = {nx, 1, 1};
  return grid;
}

void setPeak(Series<float>& image, std::int64_t voxel, int peak, double degrees, double amplitude) {
  const double angle = degrees * M_PI / 180;
  image.at(voxel, 3 * peak) = float(amplitude * std::cos(angle));
  image.at(voxel, 3 * peak + 1) = float(amplitude * std::sin(angle));
  image.at(voxel, 3 * peak + 2) = 0;
}

TEST(PeakAgreement, PairsTheClosestPeaksWhateverTheirOrderAndSign) {
  Series<float> a(gridOf(1), 6, NAN), b(gridOf(1), 9, NAN);
  setPeak(a, 0, 0, 10, 1), setPeak(a, 0, 1, 80, 0.5);
  setPeak(b, 0, 0, 260.05, 0.5), setPeak(b, 0, 1, 10.02, 1);
  const auto result = comparePeaks(a, b);
  EXPECT_NEAR(result.rows[0].maximum, 0.05, 1e-4);
  EXPECT_NEAR(result.rows[0].mean, 0.035, 1e-4);
  EXPECT_EQ(result.rows[0].compared, 2);
  EXPECT_EQ(result.rows[0].shareWithin, 1);
  EXPECT_LT(result.rows[1].maximum, 1e-4);
  EXPECT_TRUE(result.agrees());
}

TEST(PeakAgreement, CountsAPeakWithoutPartnerAsFailing) {
  Series<float> a(gridOf(3), 6, NAN), b(gridOf(3), 6, NAN);
  setPeak(a, 0, 0, 10, 1), setPeak(a, 0, 1, 80, 0.5);
  setPeak(b, 0, 0, 10, 1);
  setPeak(a, 1, 0, 30, 1), setPeak(b, 1, 0, 32, 1);
  const auto result = comparePeaks(a, b, 3);
  EXPECT_EQ(result.rows[0].compared, 3);
  EXPECT_NEAR(result.rows[0].shareWithin, 2 / 3.0, 1e-12);
  EXPECT_NEAR(result.rows[2].shareWithin, 0.5, 1e-12);
  EXPECT_FALSE(result.agrees());
  ASSERT_EQ(result.worst.size(), 2u);
  EXPECT_EQ(result.worst[0].voxel, (Vec3<int>{0, 0, 0}));
  EXPECT_EQ(result.worst[0].difference, 90);
  EXPECT_NE(result.worst[0].instead.find("fibers"), std::string::npos) << "no angle: their numbers differ";
  EXPECT_EQ(result.worst[1].instead, "");
  EXPECT_NEAR(result.worst[1].difference, 2, 1e-4);
  const auto& difference = *std::get<VolumeLayer>(result.difference->content).series;
  EXPECT_EQ(difference.values[0], 90);
  EXPECT_NEAR(difference.values[1], 2, 1e-4);
  EXPECT_TRUE(std::isnan(difference.values[2]));
  ASSERT_EQ(result.difference->notes.size(), 1u);
  EXPECT_EQ(result.difference->notes[0], "In 1 voxels the numbers of peaks differ: they are shown as 90°.");
}

TEST(PeakAgreement, SeesADifferentAmplitude) {
  Series<float> a(gridOf(1), 3, NAN), b(gridOf(1), 3, NAN);
  setPeak(a, 0, 0, 10, 1), setPeak(b, 0, 0, 10, 0.9);
  const auto result = comparePeaks(a, b);
  EXPECT_EQ(result.rows[0].shareWithin, 1);
  EXPECT_NEAR(result.rows[1].maximum, 10, 1e-4);
  EXPECT_FALSE(result.agrees());
}

TEST(PeakAgreement, NamesTheFirstOfManyEquallyBadVoxelsAndTheWorstOfAll) {
  Series<float> a(gridOf(5000), 3, NAN), b(gridOf(5000), 3, NAN);
  for (int v = 0; v < 5000; ++v) setPeak(a, v, 0, 0, 1), setPeak(b, v, 0, 10, 1);
  setPeak(b, 4000, 0, 20, 1);
  const auto worst = comparePeaks(a, b).worst;
  ASSERT_EQ(worst.size(), 20u);
  EXPECT_EQ(worst[0].voxel.x, 4000);
  for (int i = 1; i < 20; ++i) EXPECT_EQ(worst[std::size_t(i)].voxel.x, i - 1);
}

TEST(PeakAgreement, StopsWhenAskedWithinAFewThousandVoxels) {
  const Series<float> peaks(gridOf(50000), 3, 0.5f);
  int looks = 0;
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double, std::string_view) {
    if (++looks % 10 == 0) stop.request_stop();
  });
  EXPECT_THROW(comparePeaks(peaks, peaks, 1, progress), Cancelled);
  EXPECT_EQ(looks, 10);
  stop = std::stop_source();
  looks = 0;
  const Progress again(stop.get_token(), [&](double, std::string_view) {
    if (++looks == 10) stop.request_stop();
  });
  EXPECT_THROW(comparePeaksWithTruth(peaks, peaks, again), Cancelled);
  EXPECT_EQ(looks, 10);
}

TEST(PeakAgreement, RefusesOtherGrids) {
  EXPECT_THROW(comparePeaks(Series<float>(gridOf(2), 3), Series<float>(gridOf(3), 3)), Error);
}

TEST(PeakTruth, IsReportedByClassOfCrossing) {
  Series<float> truth(gridOf(5), 6, NAN), peaks(gridOf(5), 9, NAN);
  setPeak(truth, 0, 0, 0, 1), setPeak(peaks, 0, 0, 181, 0.3);
  setPeak(truth, 1, 0, 0, 0.6), setPeak(truth, 1, 1, 50, 0.4);
  setPeak(peaks, 1, 0, 25, 1);
  setPeak(truth, 2, 0, 0, 0.6), setPeak(truth, 2, 1, 85, 0.4);
  setPeak(peaks, 2, 0, 83, 1), setPeak(peaks, 2, 1, 4, 1);
  // Voxel 3 has no truth.
  setPeak(peaks, 3, 0, 4, 1);
  setPeak(truth, 4, 0, 0, 0.6), setPeak(truth, 4, 1, 80, 0.4);
  setPeak(peaks, 4, 0, 2, 1);
  const auto rows = comparePeaksWithTruth(peaks, truth);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].quantity, "one fiber: error of the worse");
  EXPECT_NEAR(rows[0].median, 1, 1e-4);
  EXPECT_EQ(rows[1].shareWithin, 1);
  EXPECT_EQ(rows[2].quantity, "crossing 45–60°: error of the worse");
  EXPECT_TRUE(std::isnan(rows[2].median)) << "no voxel has a peak for each of its fibers";
  EXPECT_EQ(rows[2].compared, 1);
  EXPECT_FALSE(rows[2].agrees());
  EXPECT_EQ(rows[3].shareWithin, 0);
  EXPECT_EQ(rows[4].quantity, "crossing 75–90°: error of the worse");
  EXPECT_NEAR(rows[4].median, 4, 1e-4) << "of the voxel with two peaks";
  EXPECT_EQ(rows[4].compared, 2);
  EXPECT_EQ(rows[4].shareWithin, 0.5) << "a fiber without a peak is not within the tolerance";
  EXPECT_EQ(rows[5].shareWithin, 0.5);
}

}  // namespace
}  // namespace sulcus
