#include "ui/model/layers/image_overlay.h"

#include "tests/ui/fake_analysis.h"
#include "tests/ui/wait.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;
using Mode = ImageOverlay::Mode;

struct ImageOverlayTest : testing::Test {
  LayerStack layers;
  ImageOverlay pair{layers};
  QSignalSpy changed{&pair, &ImageOverlay::changed};

  LayerId add(const char* name, const char* colormap = "gray", bool visible = true) {
    Layer layer = volumeLayer(name);
    layer.display.colormap = colormap;
    layer.display.visible = visible;
    return layers.add(shared(std::move(layer)));
  }
};

TEST_F(ImageOverlayTest, StaysOffWithoutTwoImages) {
  pair.setMode(Mode::blink);
  EXPECT_EQ(pair.mode(), Mode::off);
  add("one");
  pair.toggle(Mode::checkerboard);
  EXPECT_EQ(pair.mode(), Mode::off);
  EXPECT_EQ(pair.caption(), "");
}

TEST_F(ImageOverlayTest, TakesTheTopTwoImagesAndPrefersAnatomyThatIsSeen) {
  add("old");
  const LayerId reference = add("reference"), hidden = add("hidden", "gray", false), warped = add("warped");
  add("log J", "cool-warm");
  pair.setMode(Mode::checkerboard);
  EXPECT_EQ(pair.upper(), warped);
  EXPECT_EQ(pair.lower(), reference);
  EXPECT_EQ(pair.caption(), "reference | warped");
  // One click away: another lower image.
  pair.setLower(hidden);
  EXPECT_EQ(pair.caption(), "hidden | warped");
  pair.setMode(Mode::off);
  pair.setMode(Mode::blend);
  EXPECT_EQ(pair.lower(), hidden) << "what was chosen stays chosen";
}

TEST_F(ImageOverlayTest, TakesASuggestionUnlessItIsOnScreen) {
  const LayerId reference = add("reference"), moving = add("moving"), warped = add("warped");
  pair.suggest(reference, warped);
  pair.setMode(Mode::blend);
  EXPECT_EQ(pair.lower(), reference);
  EXPECT_EQ(pair.upper(), warped);
  pair.suggest(moving, warped);
  EXPECT_EQ(pair.lower(), reference) << "nothing changes under the user's eyes";
  pair.setMode(Mode::off);
  pair.suggest(moving, moving);
  pair.suggest(99, warped);
  EXPECT_EQ(pair.lower(), reference);
}

TEST_F(ImageOverlayTest, SwapsWhenTheOtherImageIsChosen) {
  const LayerId a = add("a"), b = add("b");
  pair.setMode(Mode::blend);
  pair.setUpper(a);
  EXPECT_EQ(pair.upper(), a);
  EXPECT_EQ(pair.lower(), b);
  pair.setShare(0.25);
  EXPECT_EQ(pair.caption(), "b 75\u00a0%, a 25\u00a0%");
}

TEST_F(ImageOverlayTest, TakesTurnsOnlyWhileItBlinks) {
  add("a"), add("b");
  pair.setMode(Mode::blink);
  EXPECT_EQ(pair.caption(), "b");
  changed.clear();
  ASSERT_TRUE(changed.wait(kWait));
  EXPECT_FALSE(pair.upperTurn());
  EXPECT_EQ(pair.caption(), "a");
  ASSERT_TRUE(changed.wait(kWait));
  EXPECT_TRUE(pair.upperTurn());
  pair.toggle(Mode::blink);
  EXPECT_EQ(pair.mode(), Mode::off);
}

TEST_F(ImageOverlayTest, BlinksAtARateThatIsSafeToLookAt) {
  add("a"), add("b");
  pair.setRate(100);
  EXPECT_EQ(pair.rate(), 5) << "two turns are a flash: fewer than three a second";
  pair.setRate(5);
  EXPECT_EQ(changed.count(), 1);
  pair.setMode(Mode::blink);
  changed.clear();
  QElapsedTimer clock;
  clock.start();
  ASSERT_TRUE(changed.wait(kWait));
  EXPECT_GE(clock.elapsed(), 150);
}

TEST_F(ImageOverlayTest, WipesAnEdgeOverTheImages) {
  add("a"), add("b");
  pair.setMode(Mode::wipe);
  EXPECT_EQ(pair.caption(), "a | b") << "left and right of the edge";
  EXPECT_EQ(pair.captionIn3d(), "b");
  pair.setShare(2);
  EXPECT_EQ(pair.share(), 1);
}

TEST_F(ImageOverlayTest, GoesOffWithOneOfItsImages) {
  add("a");
  const LayerId b = add("b"), c = add("c");
  pair.setMode(Mode::blink);
  layers.remove(b);
  EXPECT_EQ(pair.mode(), Mode::off);
  pair.setMode(Mode::blink);
  EXPECT_EQ(pair.upper(), c);
  EXPECT_EQ(pair.caption(), "c");
}

TEST_F(ImageOverlayTest, SignalsOnlyRealChanges) {
  add("a"), add("b");
  pair.setMode(Mode::checkerboard);
  changed.clear();
  pair.setMode(Mode::checkerboard);
  pair.setTile(pair.tile());
  pair.setShare(pair.share());
  EXPECT_EQ(changed.count(), 0);
  pair.setTile(0);
  EXPECT_EQ(pair.tile(), 1);
  EXPECT_EQ(changed.count(), 1);
}

}  // namespace
}  // namespace sulcus::ui::model
