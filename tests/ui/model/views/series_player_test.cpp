#include "ui/model/views/series_player.h"

#include "tests/ui/fake_analysis.h"
#include "tests/ui/wait.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

struct SeriesPlayerTest : testing::Test {
  LayerStack layers;
  SeriesPlayer player{layers};
  LayerId one = layers.add(shared(volumeLayer("T1")));
  LayerId series = layers.add(shared(volumeLayer("bold", {4, 4, 4}, 1, 3)));
};

TEST_F(SeriesPlayerTest, GoesThroughTheVolumesAndBeginsAgain) {
  QSignalSpy shown(&layers, &LayerStack::displayChanged);
  player.setRate(30);
  player.setPlaying(true);
  std::vector<int> volumes;
  while (volumes.size() < 4) {
    ASSERT_TRUE(shown.wait(kWait));
    volumes.push_back(layers.find(series)->volume);
  }
  EXPECT_EQ(volumes, (std::vector<int>{1, 2, 0, 1}));
}

TEST_F(SeriesPlayerTest, PlaysOnlyASeriesAndStopsWithItsLayer) {
  layers.setCurrent(one);
  player.setPlaying(true);
  EXPECT_FALSE(player.isPlaying());
  layers.setCurrent(series);
  player.setPlaying(true);
  EXPECT_TRUE(player.isPlaying());
  layers.setCurrent(one);
  EXPECT_FALSE(player.isPlaying());
  layers.setCurrent(series);
  player.setPlaying(true);
  layers.remove(series);
  EXPECT_FALSE(player.isPlaying());
}

TEST_F(SeriesPlayerTest, StepsAndStopsAtTheEnds) {
  player.step(1);
  EXPECT_EQ(layers.find(series)->volume, 1);
  player.step(5);
  EXPECT_EQ(layers.find(series)->volume, 2);
  player.step(-9);
  EXPECT_EQ(layers.find(series)->volume, 0);
}

TEST_F(SeriesPlayerTest, TakesARateWithinBounds) {
  QSignalSpy changed(&player, &SeriesPlayer::changed);
  player.setRate(1000);
  EXPECT_EQ(player.rate(), 30);
  player.setRate(30);
  EXPECT_EQ(changed.count(), 1);
}

}  // namespace
}  // namespace sulcus::ui::model
