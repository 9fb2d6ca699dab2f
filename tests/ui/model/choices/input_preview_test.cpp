#include "ui/model/choices/input_preview.h"

#include "tests/ui/mesh_analysis.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QSignalSpy>
#include <QTest>
#include <atomic>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

struct InputPreviewTest : testing::Test {
  std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
  Analysis analysis = test::ballAnalysis(), other = test::richAnalysis();
  LayerStack layers;
  JobListModel jobs;
  AnalysisPresenter presenter{analysis, layers}, otherPresenter{other, layers};
  JobQueue queue{jobs::qtPost(&jobs)}, quick{jobs::qtPost(&jobs)};
  RunController runs{layers, jobs, {queue, queue, quick, {}}};
  InputPreview preview{layers, runs, quick};

  InputPreviewTest() {
    analysis.inputLayers = [calls = calls, make = analysis.inputLayers](
                               const auto& inputs, const auto& options, const Progress& progress) {
      ++*calls;
      return make(inputs, options, progress);
    };
    preview.setPresenter(&presenter);
  }
  const LayerState* shown() const {
    for (const LayerState& state : layers.layers())
      if (state.name == "input surface (preview)") return &state;
    return nullptr;
  }
  double radius() const { return shown() ? norm(test::meshOf(*shown()->layer).points.front()) : 0; }
  bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kWait); }
  bool waitForRadius(double wanted) {
    return waitFor([&] { return std::abs(radius() - wanted) < 1e-3; });
  }
};

TEST_F(InputPreviewTest, FollowsTheChoiceAndGoesWithTheInputs) {
  EXPECT_FALSE(shown());
  const LayerId image = layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  const LayerId id = shown()->id;
  EXPECT_TRUE(shown()->display.visible);
  presenter.options().set("threshold", 12.5);
  ASSERT_TRUE(waitForRadius(12.5));
  EXPECT_EQ(shown()->id, id) << "replaced, not removed and added";
  layers.remove(image);
  EXPECT_TRUE(waitFor([&] { return layers.empty(); }));
}

TEST_F(InputPreviewTest, BecomesNeitherCurrentNorAnInput) {
  const LayerId image = layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  EXPECT_EQ(layers.current(), image);
  EXPECT_TRUE(presenter.inputs().fitting(analysis.inputs[1]).empty());
  EXPECT_EQ(presenter.inputs().first("mesh"), 0);
  presenter.inputs().choose("mesh", shown()->id);
  EXPECT_EQ(presenter.inputs().first("mesh"), 0);
  layers.add(shared(test::meshLayer("mine", test::ball(3))));
  EXPECT_EQ(presenter.inputs().fitting(analysis.inputs[1]).size(), 1u);
}

TEST_F(InputPreviewTest, MakesOnlyTheNewestOfAMovingSlider) {
  layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  const int before = *calls;
  for (int i = 1; i <= 200; ++i) presenter.options().set("threshold", 20 + 0.01 * i);
  ASSERT_TRUE(waitForRadius(22));
  EXPECT_LE(*calls - before, 3);
}

TEST_F(InputPreviewTest, IsNotMadeAgainForWhatIsAppliedAfterwards) {
  layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  const int before = *calls;
  presenter.options().set("iterations", std::int64_t(3));
  presenter.options().set("threshold", 21.0);
  ASSERT_TRUE(waitForRadius(21));
  EXPECT_EQ(*calls, before + 1);
}

TEST_F(InputPreviewTest, GivesWayToARunAndComesBackWithAnotherChoice) {
  layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  QSignalSpy idle(&runs, &RunController::idle);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(idle.wait(kWait));
  EXPECT_FALSE(shown());
  EXPECT_EQ(layers.layers().size(), 3u) << "image, surface, input surface";
  presenter.options().set("threshold", 15.0);
  EXPECT_TRUE(waitForRadius(15));
}

TEST_F(InputPreviewTest, StaysAwayWhereOtherOptionsLeaveTheInputAsItIs) {
  layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  QSignalSpy idle(&runs, &RunController::idle);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(idle.wait(kWait));
  const int before = *calls;
  presenter.options().set("previews", std::int64_t(2));
  ASSERT_TRUE(waitFor([&] { return *calls > before; }));
  bool delivered = false;  // earlier results have also been delivered
  quick.submit([](const Progress&) { return true; }, [&](bool done) { delivered = done; });
  ASSERT_TRUE(waitFor([&] { return delivered; }));
  EXPECT_FALSE(shown());
  presenter.options().set("threshold", 15.0);
  EXPECT_TRUE(waitForRadius(15));
}

TEST_F(InputPreviewTest, StaysAwayLikewiseFromARunThatASessionBroughtBack) {
  layers.add(shared(volumeLayer("image")));
  auto run = std::make_shared<model::Run>();
  run->analysis = &analysis, run->inputIds = presenter.inputs().ids(),
  run->options = presenter.options().values();
  preview.settle({run});
  ASSERT_TRUE(waitFor([&] { return *calls == 1; }));
  presenter.options().set("previews", std::int64_t(2));
  ASSERT_TRUE(waitFor([&] { return *calls == 2; }));
  bool delivered = false;
  quick.submit([](const Progress&) { return true; }, [&](bool done) { delivered = done; });
  ASSERT_TRUE(waitFor([&] { return delivered; }));
  EXPECT_FALSE(shown());
  presenter.options().set("threshold", 15.0);
  EXPECT_TRUE(waitForRadius(15));
}

TEST_F(InputPreviewTest, IsThereOnlyWhileItsAnalysisIsInFront) {
  layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  preview.setPresenter(&otherPresenter);
  EXPECT_FALSE(shown());
  preview.setPresenter(&presenter);
  EXPECT_TRUE(waitForRadius(20));
}

TEST_F(InputPreviewTest, SaysInTheAdviceWhyNothingIsShown) {
  layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitForRadius(20));
  presenter.options().set("threshold", -1.0);
  ASSERT_TRUE(waitFor([&] { return presenter.advice().startsWith("The threshold lies outside"); }));
  EXPECT_FALSE(shown());
  presenter.options().set("threshold", 5.0);
  ASSERT_TRUE(waitForRadius(5));
  EXPECT_EQ(presenter.advice(), "");
}

TEST_F(InputPreviewTest, DoesNotShowAnInputAgainThatIsShownAsItIs) {
  const LayerPtr mesh = shared(test::meshLayer("mine", test::ball(7)));
  bool asked = false;
  analysis.inputLayers = [&asked, mesh](const AnalysisInputs&, const OptionValues&, const Progress&) {
    asked = true;
    return std::vector{*mesh, test::meshLayer("input_surface", test::ball(9))};
  };
  layers.add(shared(volumeLayer("image")));
  presenter.inputs().choose("mesh", layers.add(mesh));
  ASSERT_TRUE(waitForRadius(9));
  EXPECT_TRUE(asked);
  EXPECT_EQ(layers.layers().size(), 3u);
}

TEST_F(InputPreviewTest, ReportsWhereNumbersAreWorthChoosing) {
  const LayerId image = layers.add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitFor([&] { return !presenter.spans().empty(); }));
  EXPECT_EQ(presenter.spans().at("threshold"), (Range{1, 40}));
  layers.remove(image);
  EXPECT_TRUE(presenter.spans().empty());
}

struct HeldPreview : InputPreviewTest {
  /// Opens an image that is not drawn although its ranges are known.
  void open() {
    preview.hold();
    layers.add(shared(volumeLayer("image")));
    ASSERT_TRUE(waitFor([this] { return !presenter.spans().empty(); }));
    bool delivered = false;  // earlier requests would also have been delivered
    quick.submit([](const Progress&) { return true; }, [&](bool done) { delivered = done; });
    ASSERT_TRUE(waitFor([&] { return delivered; }));
    EXPECT_EQ(*calls, 0);
  }
};

TEST_F(HeldPreview, ComesWhenAnOptionIsChanged) {
  open();
  presenter.options().set("threshold", 15.0);
  EXPECT_TRUE(waitForRadius(15));
}

TEST_F(HeldPreview, ComesWhenAnInputIsChosen) {
  open();
  const LayerId other = layers.add(shared(volumeLayer("other")));
  presenter.inputs().choose("image", other);
  EXPECT_TRUE(waitForRadius(20));
}

TEST_F(HeldPreview, ComesWhenTheAnalysisIsChosen) {
  open();
  preview.ask();
  EXPECT_TRUE(waitForRadius(20));
}

}  // namespace
}  // namespace sulcus::ui::model
