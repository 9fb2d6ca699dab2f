// Previews during a run, and adjustments of its result afterwards.
#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"
#include "ui/model/runs/run_controller.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <future>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::firstValue;
using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct RichRunTest : testing::Test {
  std::shared_ptr<test::RichCalls> calls = std::make_shared<test::RichCalls>();
  Analysis analysis = test::richAnalysis(calls);
  LayerStack layers;
  JobListModel jobs;
  AnalysisPresenter presenter{analysis, layers};
  JobQueue queue{jobs::qtPost(&jobs)}, quick{jobs::qtPost(&jobs)};
  RunController runs{layers, jobs, {queue, queue, quick, {}}};
  QSignalSpy idle{&runs, &RunController::idle};
  QSignalSpy adjusted{&runs, &RunController::adjusted};
  LayerId image = layers.add(shared(volumeLayer("image")));

  RichRunTest() {
    presenter.setDevices({true, oneDevice()});
    QObject::connect(&presenter, &AnalysisPresenter::adjustableChanged, &runs,
                     [this](const OptionValues& changed) { runs.adjust(analysis, changed); });
  }
  void run(RunChoice choice = RunChoice::cpu) {
    idle.clear();
    runs.start(presenter, choice);
    ASSERT_TRUE(idle.count() > 0 || idle.wait(kWait));
  }
  const LayerState* named(const QString& name) const {
    for (const LayerState& state : layers.layers())
      if (state.name == name) return &state;
    return nullptr;
  }
  QStringList names() const {
    QStringList all;
    for (const LayerState& state : layers.layers()) all << state.name;
    return all;
  }
  bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kWait); }
  bool waitUntilIdle() { return idle.count() > 0 || idle.wait(kWait); }

  /// Keeps the quick queue busy until the promise is fulfilled.
  void holdQuickQueue(std::promise<void>& release) {
    quick.submit([future = release.get_future().share()](const Progress&) { return future.wait(), 0; },
                 [](int) {});
  }
};

TEST_F(RichRunTest, ShowsPreviewsUnderTheNamesOfTheResultAndKeepsTheirLayersForIt) {
  presenter.options().set("steps", std::int64_t(20));
  presenter.options().set("hold", true);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitFor([&] { return named("map (CPU)") && firstValue(*named("map (CPU)")->layer) == 19; }));
  EXPECT_EQ(names(), (QStringList{"image", "level (CPU)", "map (CPU)"}));
  EXPECT_FALSE(named("level (CPU)")->display.visible);
  EXPECT_TRUE(runs.runs().empty());
  jobs.cancel(jobs.idAt(0));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(names(), QStringList{"image"});
}

TEST_F(RichRunTest, PutsTheResultInPlaceOfItsPreviewAsTheUserHasDressedIt) {
  // The first preview is shown before the run may continue.
  std::promise<void> seen;
  const auto future = seen.get_future().share();
  analysis.cpu = [inner = analysis.cpu, future](const AnalysisInputs& inputs, const OptionValues& values,
                                                const Progress& progress, const Analysis::Preview& preview) {
    preview({test::constantLayer("map", *gridOf(*inputs.find("image")->second), 5)}, {});
    while (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready) progress.update(0.1);
    return inner(inputs, values, progress, preview);
  };
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitFor([&] { return named("map (CPU)") != nullptr; }));
  const LayerId id = named("map (CPU)")->id;
  Display display = named("map (CPU)")->display;
  display.opacity = 0.5;
  layers.setDisplay(id, display);
  seen.set_value();
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(runs.runs().size(), 1u);
  EXPECT_EQ(runs.runs().front()->layers.front(), id);
  EXPECT_EQ(firstValue(*layers.find(id)->layer), 1);
  EXPECT_EQ(layers.find(id)->display.opacity, 0.5);
  EXPECT_NE(layers.find(id)->display.range, display.range) << "the automatic range follows the result";
  EXPECT_EQ(names(), (QStringList{"image", "level (CPU)", "map (CPU)"}));
  EXPECT_EQ(runs.runs().front()->layers.size(), 2u);
}

TEST_F(RichRunTest, ShowsTheLayersOfARunThatAskForIt) {
  analysis.cpu = [](const AnalysisInputs& inputs, const OptionValues&, const Progress&,
                    const Analysis::Preview&) {
    const Grid grid = *gridOf(*inputs.find("image")->second);
    RunResult result;
    for (const char* name : {"field", "warped", "aligned"})
      result.layers.push_back(test::constantLayer(name, grid, 1));
    result.layers[0].display.visible = result.layers[2].display.visible = false;
    return result;
  };
  run();
  EXPECT_FALSE(named("field (CPU)")->display.visible) << "it is the first, and leaves the place to another";
  EXPECT_TRUE(named("warped (CPU)")->display.visible);
  EXPECT_FALSE(named("aligned (CPU)")->display.visible);
}

TEST_F(RichRunTest, DrawsFewOfManyPreviewsButTheLastOne) {
  constexpr int kPreviews = 20000;
  presenter.options().set("steps", std::int64_t(kPreviews));
  presenter.options().set("hold", true);
  QSignalSpy changed(&layers, &LayerStack::contentChanged);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(
      waitFor([&] { return named("map (CPU)") && firstValue(*named("map (CPU)")->layer) == kPreviews - 1; }));
  EXPECT_LT(changed.count(), kPreviews / 10);
  jobs.cancel(jobs.idAt(0));
  ASSERT_TRUE(waitUntilIdle());
}

TEST_F(RichRunTest, BringsBackWhatAPreviewHasHiddenWhenTheRunIsCancelledOrFails) {
  run();
  const LayerId before = named("map (CPU)")->id;
  layers.setCurrent(image);
  for (const char* end : {"hold", "failing"}) {
    presenter.options().set("steps", std::int64_t(5000));
    presenter.options().set("hold", std::string(end) == "hold");
    presenter.options().set("failing", std::string(end) == "failing");
    idle.clear();
    runs.start(presenter, RunChoice::cpu);
    if (std::string(end) == "hold") {
      ASSERT_TRUE(waitFor([&] { return named("map (CPU, Steps 5000, Hold)") != nullptr; }));
      EXPECT_FALSE(layers.find(before)->display.visible);
      jobs.cancel(jobs.idAt(0));
    }
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(names(), (QStringList{"image", "level (CPU)", "map (CPU)"})) << end;
    EXPECT_TRUE(layers.find(before)->display.visible) << end;
    EXPECT_EQ(layers.current(), image) << end;
  }
}

TEST_F(RichRunTest, LeavesAPreviewAwayThatTheUserHasRemoved) {
  presenter.options().set("steps", std::int64_t(1));
  presenter.options().set("hold", true);
  presenter.options().set("contrasts", std::string("a"));
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitFor([&] { return named("contrast_a (CPU)") != nullptr; }));
  layers.remove(named("contrast_a (CPU)")->id);
  EXPECT_FALSE(named("contrast_a (CPU)"));
  jobs.cancel(jobs.idAt(0));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(names(), QStringList{"image"});
}

TEST_F(RichRunTest, KeepsWhichParameterANoteOfAPreviewIsAbout) {
  presenter.options().set("steps", std::int64_t(1));
  presenter.options().set("hold", true);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitFor([&] { return named("map (CPU)") != nullptr; }));
  EXPECT_EQ(named("map (CPU)")->layer->notes.front().option, "scale");
  jobs.cancel(jobs.idAt(0));
  ASSERT_TRUE(waitUntilIdle());
}

TEST_F(RichRunTest, SaysInTheLogOfWhichValuesItsNumbersAre) {
  run();
  const JobId job = jobs.idAt(0);
  const QStringList before = jobs.logOf(job);
  presenter.options().set("level", 4.0);
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(jobs.logOf(job).back(),
            "Shown with Level 4 % (0 %): the numbers above refer to the values in parentheses.");
  presenter.options().set("level", 0.0);
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(jobs.logOf(job), before);
}

TEST_F(RichRunTest, AdjustsTheResultUnderItsLayersWithoutAJob) {
  run();
  const LayerId id = named("level (CPU)")->id;
  const int jobCount = jobs.rowCount();
  layers.setVisible(id, true);
  presenter.options().set("level", 4.0);
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(jobs.rowCount(), jobCount);
  const LayerState* level = layers.find(id);
  ASSERT_TRUE(level);
  EXPECT_EQ(level->name, "level (CPU)");
  EXPECT_EQ(firstValue(*level->layer), 4);
  EXPECT_EQ(level->display.hideBelow, 4.0) << "the threshold that the analysis asks for follows";
  EXPECT_TRUE(level->display.visible);
  const RunPtr adjustedRun = runs.runs().front();
  EXPECT_EQ(std::get<double>(adjustedRun->options.at("level")), 4);
  EXPECT_EQ(std::get<double>(level->layer->provenance->parameters.at("level")), 4);
  EXPECT_TRUE(level->layer->provenance->commandLine.find("--level 4") != std::string::npos);
}

TEST_F(RichRunTest, KeepsAThresholdThatTheUserHasChosen) {
  run();
  Display display = named("level (CPU)")->display;
  display.hideAbove = 3.0;
  display.opacity = 0.25;
  layers.setDisplay(named("level (CPU)")->id, display);
  presenter.options().set("level", 2.0);
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(named("level (CPU)")->display.hideAbove, 3.0);
  EXPECT_EQ(named("level (CPU)")->display.opacity, 0.25);
}

TEST_F(RichRunTest, TakesOnlyTheNewestOfManyAdjustments) {
  run();
  std::promise<void> release;
  holdQuickQueue(release);
  for (int i = 1; i <= 100; ++i) presenter.options().set("level", i * 0.1);
  release.set_value();
  ASSERT_TRUE(waitFor([&] { return firstValue(*named("level (CPU)")->layer) == 10; }));
  EXPECT_LE(calls->adjust, 2);
}

TEST_F(RichRunTest, DropsAnAdjustmentThatIsTakenBackWhileItIsMade) {
  run();
  const float before = firstValue(*named("level (CPU)")->layer);
  const OptionValue level = presenter.options().values().at("level");
  std::promise<void> release;
  holdQuickQueue(release);
  presenter.options().set("level", 7.0);
  presenter.options().set("level", level);
  release.set_value();
  ASSERT_TRUE(waitFor([&] { return calls->adjust > 0 && !runs.isAdjusting(runs.runs().front()->id); }));
  EXPECT_EQ(firstValue(*named("level (CPU)")->layer), before);
  EXPECT_EQ(adjusted.count(), 0);
}

TEST_F(RichRunTest, AdjustsBothResultsOfAComparison) {
  run(RunChoice::both);
  presenter.options().set("level", 3.0);
  ASSERT_TRUE(waitFor([&] {
    return firstValue(*named("level (CPU)")->layer) == 3 && firstValue(*named("level (GPU)")->layer) == 3;
  }));
}

TEST_F(RichRunTest, ComparesResultsAsTheyWereAdjusted) {
  std::vector<float> levels;
  analysis.compare = [&levels](const RunResult& a, const RunResult& b, const Progress& progress) {
    levels = {firstValue(a.layers.at(1)), firstValue(b.layers.at(1))};
    return test::fakeCompare(a, b, progress);
  };
  run();
  run();
  layers.setCurrent(runs.runs()[0]->layers.front());
  presenter.options().set("level", 2.0);
  ASSERT_TRUE(waitFor([&] { return adjusted.count() == 1; }));
  layers.setCurrent(runs.runs()[1]->layers.front());
  presenter.options().set("level", 3.0);
  ASSERT_TRUE(waitFor([&] { return adjusted.count() == 2; }));
  idle.clear();
  runs.comparer().compare(runs.runs()[0], runs.runs()[1]);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(levels, (std::vector<float>{2, 3}));
}

TEST_F(RichRunTest, AdjustsTheChosenRunAloneElseTheNewest) {
  run();
  run();
  const RunPtr first = runs.runs()[0], second = runs.runs()[1];
  const auto level = [&](const RunPtr& run) { return firstValue(*layers.find(run->layers[1])->layer); };
  layers.setCurrent(first->layers[1]);
  presenter.options().set("level", 2.0);
  ASSERT_TRUE(waitFor([&] { return level(first) == 2; }));
  EXPECT_EQ(level(second), 0);
  layers.setCurrent(image);
  presenter.options().set("level", 7.0);
  ASSERT_TRUE(waitFor([&] { return level(second) == 7; }));
  EXPECT_EQ(level(first), 2);
  EXPECT_EQ(names(), (QStringList{"image", "level (CPU, Level 2 %)", "map (CPU, Level 2 %)",
                                  "level (CPU, Level 7 %)", "map (CPU, Level 7 %)"}))
      << "they are called by what differs";
  layers.setCurrent(first->layers[0]);
  presenter.options().set("contrasts", std::string("a"));
  ASSERT_TRUE(waitFor([&] { return first->layers.size() == 3; }));
  EXPECT_EQ(level(first), 2) << "only what was changed is taken, not all that stands in the form";
  EXPECT_EQ(second->layers.size(), 2u);
}

TEST_F(RichRunTest, NamesTheRunThatIsAdjustedWhereThereAreOthers) {
  EXPECT_TRUE(runs.adjustedAlone(analysis).isEmpty());
  run();
  EXPECT_TRUE(runs.adjustedAlone(analysis).isEmpty()) << "there is but one";
  presenter.options().set("scale", 2.0);
  run(RunChoice::both);
  EXPECT_EQ(runs.adjustedAlone(analysis), (QStringList{"CPU, Scale 2", "GPU, Scale 2"}));
  layers.setCurrent(runs.runs()[0]->layers.front());
  EXPECT_EQ(runs.adjustedAlone(analysis), QStringList{"CPU, Scale 1"});
  layers.setCurrent(image);
  EXPECT_EQ(runs.adjustedAlone(analysis).size(), 2) << "the newest";
}

TEST_F(RichRunTest, LeavesEarlierRunsAloneDuringAnother) {
  run();
  const RunPtr first = runs.runs()[0];
  presenter.options().set("hold", true);
  presenter.options().set("steps", std::int64_t(1));
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitFor([&] { return runs.previews().size() == 2; }));
  presenter.options().set("level", 5.0);
  bool over = false;
  quick.submit([](const Progress&) { return 0; }, [&](int) { over = true; });
  ASSERT_TRUE(waitFor([&] { return over; }));
  EXPECT_EQ(firstValue(*layers.find(first->layers[1])->layer), 0) << "the slider is of the run that goes on";
  jobs.cancelAll();
  ASSERT_TRUE(waitUntilIdle());
}

TEST_F(RichRunTest, AddsAContrastBelowTheFirstLayerAndRemovesItAgain) {
  run();
  QSignalSpy shown(&runs, &RunController::layersShown);
  presenter.options().set("contrasts", std::string("a; b"));
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(names(),
            (QStringList{"image", "level (CPU)", "contrast_b (CPU)", "contrast_a (CPU)", "map (CPU)"}));
  EXPECT_TRUE(named("contrast_a (CPU)")->display.visible);
  EXPECT_EQ(layers.current(), named("contrast_a (CPU)")->id);
  EXPECT_EQ(runs.runs().front()->layers.size(), 4u);
  EXPECT_EQ(runs.runOf(named("contrast_b (CPU)")->id), runs.runs().front());
  EXPECT_EQ(shown.count(), 1);
  presenter.options().set("contrasts", std::string("b"));
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(names(), (QStringList{"image", "level (CPU)", "contrast_b (CPU)", "map (CPU)"}));
  EXPECT_EQ(runs.runs().front()->layers.size(), 3u);
}

TEST_F(RichRunTest, RemovesAContrastThatItWasRunWith) {
  presenter.options().set("contrasts", std::string("a"));
  run();
  ASSERT_TRUE(named("contrast_a (CPU)"));
  presenter.options().set("contrasts", std::string());
  ASSERT_TRUE(adjusted.wait(kWait));
  EXPECT_EQ(names(), (QStringList{"image", "level (CPU)", "map (CPU)"}));
}

TEST_F(RichRunTest, LeavesAFinishedResultAloneWhenOtherOptionsChange) {
  run();
  presenter.options().set("scale", 50.0);
  std::promise<void> release;  // everything on the queue has ended after this
  release.set_value();
  bool over = false;
  quick.submit([](const Progress&) { return 0; }, [&](int) { over = true; });
  ASSERT_TRUE(waitFor([&] { return over; }));
  EXPECT_EQ(calls->adjust, 0);
  EXPECT_EQ(firstValue(*named("map (CPU)")->layer), 1);
}

TEST_F(RichRunTest, GivesAResultTheLevelThatWasChosenWhileItRan) {
  presenter.options().set("level", 1.0);
  runs.start(presenter, RunChoice::cpu);
  presenter.options().set("level", 6.0);
  ASSERT_TRUE(waitFor([&] { return named("level (CPU)") && firstValue(*named("level (CPU)")->layer) == 6; }));
}

TEST_F(RichRunTest, SaysOnceWhatIsWrongWithAnAdjustmentAndKeepsTheLayers) {
  run();
  QSignalSpy failed(&runs, &RunController::failed);
  presenter.options().set("contrasts", std::string("wrong"));
  ASSERT_TRUE(failed.wait(kWait));
  for (int i = 1; i <= 5; ++i) presenter.options().set("level", double(i));
  presenter.options().set("contrasts", std::string("right"));
  ASSERT_TRUE(waitFor([&] { return named("contrast_right (CPU)") != nullptr; }));
  EXPECT_EQ(failed.count(), 1);
  EXPECT_EQ(failed.front()[1].toString(), "'wrong' is no contrast (the test says so): write another");
  EXPECT_TRUE(named("map (CPU)"));
}

}  // namespace
}  // namespace sulcus::ui::model
