#include "core/registration/population/running_average.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

Grid smallGrid() {
  Grid grid;
  grid.size = {4, 2, 2};
  return grid;
}

Volume<float> imageOf(float factor) {
  Volume<float> image(smallGrid());
  for (std::size_t i = 0; i < image.values.size(); ++i) image.values[i] = factor * float(i);
  return image;
}

TEST(RunningAverage, EverybodyIsAsBright) {
  const Mask object(smallGrid(), 1);
  RunningAverage average(smallGrid(), object, nullptr, nullptr);
  for (const float factor : {1.f, 5.f, 0.2f}) average.add(imageOf(factor));
  const Volume<float> mean = average.mean(), sd = average.sd();
  for (std::size_t i = 0; i < mean.values.size(); ++i) {
    EXPECT_NEAR(mean.values[i], double(i) / 7.5, 1e-5);
    EXPECT_NEAR(sd.values[i], 0, 1e-3);
  }
  EXPECT_NEAR(average.brightness(), 7.5 * 6.2 / 3, 1e-4);
}

TEST(RunningAverage, AirBelowZeroIsTheDarkLevel) {
  Mask object(smallGrid());
  for (std::size_t i = 8; i < object.values.size(); ++i) object.values[i] = 1;
  RunningAverage average(smallGrid(), object, nullptr, nullptr);
  for (const float gain : {1.f, 3.f}) {
    Volume<float> scan(smallGrid(), -1000 * gain);
    for (std::size_t i = 8; i < scan.values.size(); ++i) scan.values[i] = 40 * gain;
    average.add(scan);
  }
  EXPECT_NEAR(average.mean().values[0], 0, 1e-5);
  EXPECT_NEAR(average.mean().values[9], 1, 1e-5);
  EXPECT_NEAR(average.dark(), -2000, 1e-2);
  EXPECT_NEAR(average.dark() + average.brightness(), 80, 1e-2);
}

TEST(RunningAverage, WhereAnImageDoesNotReachTheOthersCount) {
  const Mask object(smallGrid(), 1);
  RunningAverage average(smallGrid(), object, nullptr, nullptr);
  Volume<float> part = imageOf(1);
  part.values[3] = NAN;
  average.add(part), average.add(part);
  EXPECT_EQ(average.mean().values[3], 0);
  RunningAverage both(smallGrid(), object, nullptr, nullptr);
  both.add(imageOf(1)), both.add(part);
  EXPECT_NEAR(both.mean().values[3], 3 / 7.5, 1e-6);
}

TEST(RunningAverage, AnUnusualValueCountsLess) {
  const Mask object(smallGrid(), 1);
  Volume<float> mean = imageOf(1 / 7.5f), sd(smallGrid(), 0.1f);
  RunningAverage average(smallGrid(), object, &mean, &sd), plain(smallGrid(), object, nullptr, nullptr);
  Volume<float> lesion = imageOf(1);
  lesion.values[12] = 0, lesion.values[13] = 25;  // of the same mean brightness
  for (int i = 0; i < 4; ++i) average.add(imageOf(1)), plain.add(imageOf(1));
  average.add(lesion), plain.add(lesion);
  EXPECT_NEAR(plain.mean().values[12], 0.8 * 12 / 7.5, 1e-5);
  EXPECT_NEAR(average.mean().values[12], 12 / 7.5, 0.05);
}

TEST(LabelVote, MostVotesWinAndOfEqualOnesTheLowestLabel) {
  LabelVote vote(smallGrid());
  for (const Label label : std::vector<Label>{5, 9000000000, 9000000000, 5, 3}) {
    Volume<Label> labels(smallGrid(), label);
    labels.values[1] = label == 3 ? 5 : label;
    vote.add(labels);
  }
  const auto winners = vote.winners();
  EXPECT_EQ(winners.values[0], 5);
  EXPECT_EQ(winners.values[1], 5);
}

TEST(LabelVote, ALabelOfMoreThanOneInSevenIsNotLostAmongMany) {
  LabelVote vote(smallGrid());
  for (int person = 0; person < 70; ++person)
    vote.add(Volume<Label>(smallGrid(), person % 6 == 0 ? 4 : 100 + person));
  EXPECT_EQ(vote.winners().values[5], 4);
}

}  // namespace
}  // namespace sulcus::registration
