#include "ui/model/runs/run_controller.h"

#include "tests/ui/fake_analysis.h"
#include "ui/jobs/qt_post.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::fakeAnalysis;
using test::oneDevice;
using test::shared;
using test::volumeLayer;

constexpr int kLong = 1000000;  ///< more rounds than any test waits for

struct RunControllerTest : testing::Test {
  Analysis analysis = fakeAnalysis();
  LayerStack layers;
  JobListModel jobs;
  AnalysisPresenter presenter{analysis, layers};
  JobQueue queue{jobs::qtPost(&jobs)};
  JobQueue quick{jobs::qtPost(&jobs)};
  RunController runs{layers, jobs, {queue, queue, quick, {}}};
  QSignalSpy idle{&runs, &RunController::idle};
  LayerId image = layers.add(shared(volumeLayer("image")));

  bool waitUntilIdle() { return idle.count() > 0 || idle.wait(20000); }
  /// Starts the job and waits until it reports that it is running.
  bool waitUntilRunning() {
    return QTest::qWaitFor([&] { return jobs.stateOf(jobs.idAt(0)) == JobState::running; }, 20000);
  }
};

TEST_F(RunControllerTest, PutsTheResultOnTopAndItsOtherMapsHidden) {
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(layers.layers().size(), 3u);
  const LayerState& top = layers.layers().back();
  EXPECT_EQ(top.name, "product (CPU)");
  EXPECT_TRUE(top.display.visible);
  EXPECT_FALSE(layers.layers()[1].display.visible);
  ASSERT_EQ(runs.runs().size(), 1u);
  EXPECT_EQ(runs.runOf(top.id), runs.runs().front());
  EXPECT_EQ(std::get<VolumeLayer>(top.layer->content).series->values[1], 4);
  const auto said = jobs.logOf(jobs.idAt(0));
  ASSERT_EQ(said.size(), 2);
  EXPECT_THAT(said.front().toStdString(), testing::HasSubstr(" s in all"));
}

TEST_F(RunControllerTest, ComparesBothBackends) {
  presenter.setDevices({true, oneDevice()});
  QSignalSpy compared(&runs.comparer(), &RunComparer::finished);
  runs.start(presenter, RunChoice::both);
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(compared.count(), 1);
  const auto comparison = compared.front().front().value<ComparedPtr>();
  EXPECT_EQ(comparison->a->title, "CPU");
  EXPECT_EQ(comparison->b->title, "GPU");
  EXPECT_NEAR(comparison->comparison.rows.front().maximum, 0.25, 1e-5);
  const LayerState* difference = layers.find(comparison->difference);
  ASSERT_TRUE(difference);
  EXPECT_FALSE(difference->display.visible);
  EXPECT_GE(difference->display.range->high, 0.5);
}

TEST_F(RunControllerTest, ComparesTwoRunsOfOneBackend) {
  runs.start(presenter, RunChoice::cpu);
  presenter.options().set("mode", std::string("doubled"));
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(runs.runs().size(), 2u);
  EXPECT_EQ(runs.runs()[0]->title, "CPU, Mode plain");
  EXPECT_EQ(runs.runs()[1]->title, "CPU, Mode doubled");
  EXPECT_TRUE(jobs.index(0, JobListModel::name).data().toString().endsWith("CPU, Mode doubled"))
      << "the list of jobs calls them alike";
  idle.clear();
  QSignalSpy compared(&runs.comparer(), &RunComparer::finished);
  runs.comparer().compare(runs.runs()[0], runs.runs()[1]);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_FALSE(compared.front().front().value<ComparedPtr>()->comparison.agrees());
}

TEST_F(RunControllerTest, MakesAHundredRunsOneAfterTheOther) {
  for (int i = 0; i < 100; ++i) runs.start(presenter, RunChoice::cpu);
  EXPECT_EQ(runs.pending(), 100);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(runs.runs().size(), 100u);
  EXPECT_EQ(layers.layers().size(), 201u);
  EXPECT_EQ(jobs.active(), 0);
}

TEST_F(RunControllerTest, StopsARunThatIsCancelled) {
  presenter.options().set("rounds", std::int64_t(kLong));
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilRunning());
  jobs.cancel(jobs.idAt(0));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(jobs.stateOf(jobs.idAt(0)), JobState::cancelled);
  EXPECT_EQ(layers.layers().size(), 1u);
}

TEST_F(RunControllerTest, ReportsAnErrorOnceWithItsSentence) {
  presenter.options().set("failing", true);
  QSignalSpy failed(&runs, &RunController::failed);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(failed.count(), 1);
  EXPECT_EQ(failed.front()[1].toString(),
            "The image cannot be used (the test asked for it): switch Fail off");
  EXPECT_EQ(layers.layers().size(), 1u);
}

TEST_F(RunControllerTest, NamesLayersByWhatDiffersAndKeepsTheUsersNames) {
  const auto names = [this] {
    QStringList all;
    for (const LayerState& state : layers.layers()) all << state.name;
    return all;
  };
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  const std::vector<LayerId> first = runs.runs().front()->layers;
  layers.rename(first[1], "mine");
  presenter.options().set("gain", 45.0);
  idle.clear();
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_TRUE(names().contains("product (CPU, Gain 2 mm)"));
  EXPECT_TRUE(names().contains("mine"));
  EXPECT_TRUE(names().contains("product (CPU, Gain 45 mm)"));
  for (const LayerId id : first) layers.remove(id);
  EXPECT_TRUE(names().contains("product (CPU)")) << "nothing differs any more";
  EXPECT_EQ(runs.runs().front()->title, "CPU");
}

TEST_F(RunControllerTest, ReportsWhenOneOfTwoComparedRunsIsClosed) {
  presenter.setDevices({true, oneDevice()});
  QSignalSpy gone(&runs.comparer(), &RunComparer::gone);
  runs.start(presenter, RunChoice::both);
  ASSERT_TRUE(waitUntilIdle());
  const std::vector<LayerId> first = runs.runs().front()->layers;
  layers.remove(first[0]);
  EXPECT_EQ(gone.count(), 0) << "the run is there as long as one of its layers is";
  layers.remove(first[1]);
  EXPECT_EQ(gone.count(), 1);
}

TEST_F(RunControllerTest, DropsAComparisonOfARunThatWasClosedMeanwhile) {
  runs.start(presenter, RunChoice::cpu);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  QSignalSpy compared(&runs.comparer(), &RunComparer::finished);
  idle.clear();
  runs.comparer().compare(runs.runs()[0], runs.runs()[1]);
  const auto closed = runs.runs()[0]->layers;
  for (const LayerId id : closed) layers.remove(id);  // before the event loop can deliver anything
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(compared.count(), 0);
  EXPECT_TRUE(jobs.logOf(jobs.idAt(0)).back().startsWith("The comparison was dropped"));
  EXPECT_EQ(layers.layers().size(), 3u) << "image and the two layers of the other run";
}

TEST_F(RunControllerTest, StopsARunWhoseInputIsRemoved) {
  presenter.options().set("rounds", std::int64_t(kLong));
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilRunning());
  layers.clear();
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(jobs.stateOf(jobs.idAt(0)), JobState::cancelled);
  EXPECT_TRUE(jobs.logOf(jobs.idAt(0)).back().startsWith("The result was dropped"));
}

TEST_F(RunControllerTest, SaysFaultsInTheWordsOfTheForm) {
  analysis.cpu = [](auto&&...) -> RunResult {
    throw Error("No mask", "it says where", "give {mask}"_message);
  };
  QSignalSpy failed(&runs, &RunController::failed);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(failed.front()[1].toString(), "No mask (it says where): give “Mask”");
}

TEST_F(RunControllerTest, DropsAResultWhoseInputWasRemovedMeanwhileAndSaysSo) {
  runs.start(presenter, RunChoice::cpu);
  layers.remove(image);  // before the event loop can deliver anything
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_TRUE(layers.empty());
  EXPECT_TRUE(runs.runs().empty());
  EXPECT_TRUE(jobs.logOf(jobs.idAt(0)).back().startsWith("The result was dropped"));
}

TEST_F(RunControllerTest, KeepsNothingOfLayersThatWereRemovedAndSaysSoWhenRunAgain) {
  presenter.setDevices({true, oneDevice()});
  runs.start(presenter, RunChoice::both);
  ASSERT_TRUE(waitUntilIdle());
  std::vector<std::weak_ptr<const Layer>> contents;
  for (const LayerState& layer : layers.layers()) contents.push_back(layer.layer);
  ASSERT_EQ(contents.size(), 6u);
  std::vector<std::weak_ptr<const model::Run>> held(runs.runs().begin(), runs.runs().end());
  while (!layers.empty()) layers.remove(layers.layers().back().id);
  EXPECT_TRUE(runs.runs().empty());
  // The worker releases a job just after reporting that it is done.
  const auto expired = [](const auto& pointer) { return pointer.expired(); };
  EXPECT_TRUE(QTest::qWaitFor([&] {
    return std::all_of(contents.begin(), contents.end(), expired) &&
           std::all_of(held.begin(), held.end(), expired);
  }));

  QSignalSpy failed(&runs, &RunController::failed);
  jobs.rerun(jobs.idAt(jobs.rowCount() - 1));
  ASSERT_EQ(failed.count(), 1);
  EXPECT_TRUE(failed.front()[1].toString().contains("given as “Image” was removed"));
  EXPECT_EQ(runs.pending(), 0);
}

TEST_F(RunControllerTest, RunsAgainWithTheSameParameters) {
  presenter.options().set("gain", 3.0);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitUntilIdle());
  presenter.options().set("gain", 7.0);
  idle.clear();
  jobs.rerun(jobs.idAt(0));
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(runs.runs().size(), 2u);
  EXPECT_EQ(runs.runs()[1]->options, runs.runs()[0]->options);
}

}  // namespace
}  // namespace sulcus::ui::model
