// A live analysis: its run follows the choices.
#include "ui/model/runs/live_run.h"

#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <mutex>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::firstValue;
using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct LiveRunTest : testing::Test {
  std::mutex mutex;  // guards what follows
  std::vector<SliceInView> slices;
  Analysis analysis = makeAnalysis();
  LayerStack layers;
  JobListModel jobs;
  AnalysisPresenter presenter{analysis, layers};
  ViewState view;
  JobQueue queue{jobs::qtPost(&jobs)}, quick{jobs::qtPost(&jobs)};
  RunController runs{layers, jobs, {queue, queue, quick, {}}};
  LiveRun live{presenter, runs, jobs, view};
  LayerId image = layers.add(shared(volumeLayer("image")));

  /// An input "maps" marks a slice.
  Analysis makeAnalysis() {
    Analysis made = test::richAnalysis();
    made.cpu = [inner = made.cpu](const AnalysisInputs& inputs, const OptionValues& values,
                                  const Progress& progress, const Analysis::Preview& preview) {
      OptionValues asked = values;
      if (inputs.contains("maps")) {  // the slice
        asked["hold"] = false;
        asked["scale"] = 50.0;
      }
      return inner(inputs, asked, progress, preview);
    };
    made.inSlice = [this](const AnalysisInputs& inputs, const OptionValues&, const SliceInView& slice,
                          const Progress&) {
      const std::lock_guard lock(mutex);
      slices.push_back(slice);
      AnalysisInputs cut = inputs;
      cut.emplace("maps", shared(volumeLayer("slice")));
      return cut;
    };
    return made;
  }
  bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kWait); }
  /// The first value of the map; NaN if there is none, or several.
  float shown() const {
    float value = NAN;
    int count = 0;
    for (const LayerState& state : layers.layers())
      if (state.name.startsWith("map (")) value = firstValue(*state.layer), ++count;
    return count == 1 ? value : NAN;
  }
  LayerId mapId() const {
    for (const LayerState& state : layers.layers())
      if (state.name.startsWith("map (")) return state.id;
    return 0;
  }
  bool isOver() const { return runs.pending() == 0; }
};

TEST_F(LiveRunTest, RunsAgainInItsPlaceWhenAParameterHasChanged) {
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return shown() == 1 && isOver(); }));
  const LayerId id = mapId();
  Display display = layers.find(id)->display;
  display.opacity = 0.5;
  layers.setDisplay(id, display);
  layers.rename(id, "mine");
  layers.rename(id, "map (CPU)");
  for (const double scale : {3.0, 5.0}) {
    presenter.options().set("scale", scale);
    ASSERT_TRUE(waitFor([&] { return shown() == float(scale) && isOver(); }));
  }
  EXPECT_EQ(mapId(), id);
  EXPECT_EQ(layers.find(id)->display.opacity, 0.5);
  ASSERT_EQ(runs.runs().size(), 1U);
  EXPECT_EQ(std::get<double>(runs.runs().front()->options.at("scale")), 5);
  EXPECT_EQ(firstValue(runs.runs().front()->result->layers.front()), 5);
  EXPECT_EQ(jobs.rowCount(), 1) << "of live runs the list has one";
}

TEST_F(LiveRunTest, ShowsTheSliceInViewBeforeTheWhole) {
  view.setPlane(Plane::coronal);
  view.setCrosshair({1, 2, 3});
  presenter.options().set("hold", true);
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return shown() == 50; }));
  EXPECT_TRUE(runs.runs().empty());
  const std::lock_guard lock(mutex);
  ASSERT_EQ(slices.size(), 1U);
  EXPECT_EQ(slices.front().axis, 1);
  EXPECT_EQ(slices.front().at, (Vec3<double>{1, 2, 3}));
}

TEST_F(LiveRunTest, StopsTheRunInProgressAndShowsMeanwhileWhatWasThere) {
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return shown() == 1 && isOver(); }));
  presenter.options().set("hold", true);
  ASSERT_TRUE(waitFor([this] { return shown() == 50; }));
  EXPECT_EQ(firstValue(*runs.beforePreviews().at(mapId())), 1) << "what a session would keep";
  EXPECT_TRUE(runs.previews().empty());
  presenter.options().set("scale", 4.0);  // the blocked run is stopped, and the next one blocks as well
  ASSERT_TRUE(waitFor([this] { return shown() == 1; }));
  presenter.options().set("hold", false);
  ASSERT_TRUE(waitFor([this] { return shown() == 4 && isOver(); }));
  EXPECT_EQ(runs.runs().size(), 1U);
  EXPECT_EQ(jobs.rowCount(), 1);
}

TEST_F(LiveRunTest, DoesNotRunForWhatIsAppliedAfterwardsNorForWhatIsShown) {
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitFor([this] { return shown() == 1 && isOver(); }));
  presenter.setLive(true);
  presenter.options().set("level", 3.0);
  presenter.options().set("scale", 2.0);
  presenter.options().set("scale", 1.0);
  // After another run began and ended, nothing more will begin here.
  Analysis other = makeAnalysis();
  AnalysisPresenter otherPresenter{other, layers};
  LiveRun otherLive{otherPresenter, runs, jobs, view};
  otherPresenter.setLive(true);
  const auto runsOf = [this](const Analysis& one) {
    return std::ranges::count_if(runs.runs(), [&](const RunPtr& run) { return run->analysis == &one; });
  };
  ASSERT_TRUE(waitFor([&] { return runsOf(other) == 1 && isOver(); }));
  EXPECT_EQ(runsOf(analysis), 1);
  presenter.options().set("scale", 2.0);  // the run requested by the user is kept
  ASSERT_TRUE(waitFor([&] { return runsOf(analysis) == 2 && isOver(); }));
  EXPECT_EQ(firstValue(runs.runs().front()->result->layers.front()), 1);
  layers.clear();  // and with them the runs, before their inputs
}

TEST_F(LiveRunTest, KeepsItsRunWhenItIsSwitchedOff) {
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return shown() == 1 && isOver(); }));
  presenter.setLive(false);
  presenter.options().set("scale", 2.0);
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return runs.runs().size() == 2 && isOver(); }));
  EXPECT_EQ(firstValue(runs.runs().front()->result->layers.front()), 1);
  EXPECT_EQ(firstValue(runs.runs().back()->result->layers.front()), 2);
}

TEST_F(LiveRunTest, IsSwitchedOffByAFailureAndByHand) {
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return shown() == 1 && isOver(); }));
  presenter.options().set("failing", true);
  ASSERT_TRUE(waitFor([this] { return !presenter.live(); }));
  EXPECT_EQ(shown(), 1) << "the slice of a run that failed does not stay";
  presenter.options().set("failing", false);
  presenter.options().set("hold", true);
  presenter.setLive(true);
  ASSERT_TRUE(waitFor([this] { return jobs.running() != 0; }));
  jobs.cancelAll();
  EXPECT_TRUE(waitFor([this] { return !presenter.live(); }));
}

TEST_F(LiveRunTest, EndsAComparisonWithItsRun) {
  presenter.setDevices({true, oneDevice()});
  runs.start(presenter, RunChoice::gpu);
  ASSERT_TRUE(waitFor([this] { return isOver() && !runs.runs().empty(); }));
  presenter.setLive(true);
  presenter.options().set("scale", 2.0);
  ASSERT_TRUE(waitFor([this] { return isOver() && runs.runs().size() == 2; }));
  EXPECT_EQ(runs.runs().back()->backend, Backend::gpu) << "where the analysis ran last";
  QSignalSpy compared(&runs.comparer(), &RunComparer::finished), gone(&runs.comparer(), &RunComparer::gone);
  runs.comparer().compare(runs.runs().front(), runs.runs().back());
  ASSERT_TRUE(waitFor([&] { return compared.count() == 1; }));
  presenter.options().set("scale", 3.0);
  EXPECT_TRUE(waitFor([&] { return gone.count() == 1; }));
}

}  // namespace
}  // namespace sulcus::ui::model
