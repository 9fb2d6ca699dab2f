#include "ui/model/session/history.h"

#include "tests/ui/fake_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

SessionState stateWith(const std::vector<std::pair<LayerId, LayerPtr>>& layers) {
  SessionState state;
  for (const auto& [id, layer] : layers) {
    LayerState shown;
    shown.id = id;
    shown.layer = layer;
    shown.name = QString::fromStdString(layer->name);
    state.layers.push_back(shown);
  }
  return state;
}

TEST(History, GoesBackAndForthAndForgetsWhatWasTakenBack) {
  const LayerPtr one = test::shared(test::volumeLayer("one")), two = test::shared(test::volumeLayer("two"));
  History history;
  history.begin({});
  EXPECT_FALSE(history.note({})) << "nothing has changed";
  EXPECT_TRUE(history.note(stateWith({{1, one}})));
  EXPECT_TRUE(history.note(stateWith({{1, one}, {2, two}})));
  EXPECT_EQ(history.undoText(), "opening of two");
  const int stamp = history.stamp();
  EXPECT_EQ(history.undo().layers.size(), 1u);
  EXPECT_EQ(history.redoText(), "opening of two");
  EXPECT_EQ(history.redo().layers.size(), 2u);
  EXPECT_EQ(history.stamp(), stamp);
  history.undo();
  EXPECT_TRUE(history.note(stateWith({{2, two}})));
  EXPECT_FALSE(history.canRedo());
  EXPECT_NE(history.stamp(), stamp);
  EXPECT_EQ(history.undo().layers.front().id, 1);
  EXPECT_TRUE(history.undo().layers.empty());
  EXPECT_FALSE(history.canUndo());
}

TEST(History, KeepsNoMoreThanItsMost) {
  const LayerPtr layer = test::shared(test::volumeLayer("one"));
  History history;
  history.begin({});
  for (int i = 1; i <= 250; ++i) history.note(stateWith({{i, layer}}));
  int steps = 0;
  for (; history.canUndo(); ++steps) history.undo();
  EXPECT_EQ(steps, int(History::kMost) - 1);
}

TEST(History, ForgetsTheOldestStepsOfLargeLayers) {
  constexpr double kMostBytes = 1e6;
  const auto large = [] {  // a tenth of it
    auto series = std::make_shared<Series<float>>();
    series->values.resize(std::size_t(kMostBytes / 10 / sizeof(float)));
    Layer layer;
    layer.name = "large";
    layer.content = VolumeLayer{series, {}, 0, {}};
    return test::shared(std::move(layer));
  };
  History history(kMostBytes);
  history.begin({});
  for (int i = 1; i <= 14; ++i) history.note(stateWith({{1, large()}}));
  int steps = 0;
  for (; history.canUndo(); ++steps) history.undo();
  EXPECT_EQ(steps, 10) << "each removed one counts";
}

}  // namespace
}  // namespace sulcus::ui::model
