#include "ui/model/layers/plots_model.h"

#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"
#include "ui/model/layers/chart_text.h"

#include <QSignalSpy>
#include <QTest>
#include <future>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct PlotsModelTest : testing::Test {
  std::shared_ptr<test::RichCalls> calls = std::make_shared<test::RichCalls>();
  Analysis analysis = test::richAnalysis(calls);
  LayerStack layers;
  JobListModel jobs;
  ViewState view;
  AnalysisPresenter presenter{analysis, layers};
  JobQueue queue{jobs::qtPost(&jobs)}, quick{jobs::qtPost(&jobs)};
  RunController runs{layers, jobs, {queue, queue, quick, {}}};
  PlotsModel plots{layers, runs, view, quick};
  LayerId image = layers.add(shared(volumeLayer("image")));

  PlotsModelTest() {
    presenter.setDevices({true, oneDevice()});
    plots.setPresenter(&presenter);
    plots.setActive(true);
  }
  void run(RunChoice choice) {
    QSignalSpy idle(&runs, &RunController::idle);
    runs.start(presenter, choice);
    ASSERT_TRUE(idle.wait(kWait));
  }
  /// The plots other than those of layers.
  QStringList names() const {
    QStringList found = plots.names();
    found.removeIf([](const QString& name) { return name.contains(" of an image: "); });
    return found;
  }
  bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kWait); }
  bool waitForTitle(const std::string& title) {
    return waitFor([&] { return !plots.charts().empty() && plots.charts().front().chart.title == title; });
  }
};

TEST_F(PlotsModelTest, ShowsTheInputsBeforeARun) {
  EXPECT_TRUE(names().isEmpty());
  const LayerId design = layers.add(shared(test::designTable()));
  presenter.inputs().choose("design", design);
  ASSERT_TRUE(waitForTitle("design"));
  EXPECT_EQ(names(), QStringList{"Design"});
  EXPECT_EQ(plots.charts().front().chart.matrix->columns.size(), 3u);
  layers.remove(design);
  ASSERT_TRUE(waitFor([&] { return names().isEmpty(); }));
}

TEST_F(PlotsModelTest, KeepsNoInputsThatWereClosedWhileHidden) {
  LayerPtr table = shared(test::designTable());
  const std::weak_ptr<const Layer> kept = table;
  const LayerId design = layers.add(std::move(table));
  presenter.inputs().choose("design", design);
  ASSERT_TRUE(waitForTitle("design"));
  plots.setActive(false);
  layers.remove(design);
  EXPECT_TRUE(waitFor([&kept] { return kept.expired(); }));
}

TEST_F(PlotsModelTest, ShowsALayerUntilAnAnalysisHasSomethingToShow) {
  ASSERT_TRUE(waitForTitle("image"));
  EXPECT_EQ(plots.current(), "Histogram of an image: image");
  plots.setCurrent("Means");  // there is none
  const LayerId design = layers.add(shared(test::designTable()));
  presenter.inputs().choose("design", design);
  ASSERT_TRUE(waitForTitle("design"));
  // The choice is kept, even if it was already shown.
  presenter.inputs().choose("design", 0);
  ASSERT_TRUE(waitForTitle("image"));
  plots.setCurrent("Histogram of an image: image");
  presenter.inputs().choose("design", design);
  ASSERT_TRUE(waitFor([&] { return names().contains("Design"); }));
  EXPECT_EQ(plots.current(), "Histogram of an image: image");
  plots.setCurrent("Histogram of an image: image");
  layers.rename(image, "T1");
  ASSERT_TRUE(waitForTitle("design"));
  plots.setCurrent("Histogram of an image: T1");
  run(RunChoice::cpu);
  EXPECT_EQ(plots.current(), "Histogram of an image: T1");
}

TEST_F(PlotsModelTest, ShowsTheCurrentLayerUntilAnotherIsChosen) {
  const LayerId first = layers.add(test::shared(test::volumeLayer("first")));
  layers.add(test::shared(test::volumeLayer("second")));
  layers.setCurrent(first);
  EXPECT_EQ(plots.current(), "Histogram of an image: first");
  plots.setCurrent("Histogram of an image: second");
  layers.setCurrent(first);
  EXPECT_EQ(plots.current(), "Histogram of an image: second");
}

TEST_F(PlotsModelTest, FollowsTheCrosshairOnTheWorker) {
  run(RunChoice::cpu);
  EXPECT_EQ(names(), (QStringList{"Trace", "Histogram"}));
  ASSERT_TRUE(waitForTitle("x = 0 mm"));
  view.setCrosshair({3, 0, 0});
  ASSERT_TRUE(waitForTitle("x = 3 mm"));
  EXPECT_EQ(plots.charts().front().run, "");
}

TEST(PlotChoices, AreAQuantityAndARegressorAndKeepTheRegressor) {
  Analysis analysis = test::richAnalysis();
  const auto plain = analysis.inputPlots;
  analysis.inputPlots = [plain](const AnalysisInputs& inputs, const OptionValues& values) {
    std::vector<Plot> plots = plain(inputs, values);
    if (plots.empty()) return plots;
    for (const char* name : {"Chain: visual", "Chain: auditory", "Means: visual", "Means: auditory"})
      plots.push_back({name, false, [](const Vec3<double>&) { return Chart{}; }});
    return plots;
  };
  LayerStack layers;
  JobListModel jobs;
  ViewState view;
  AnalysisPresenter presenter{analysis, layers};
  JobQueue queue{jobs::qtPost(&jobs)}, quick{jobs::qtPost(&jobs)};
  RunController runs{layers, jobs, {queue, queue, quick, {}}};
  PlotsModel plots{layers, runs, view, quick};
  layers.add(shared(volumeLayer("image")));
  presenter.setDevices({true, oneDevice()});
  plots.setActive(true);
  plots.setPresenter(&presenter);
  presenter.inputs().choose("design", layers.add(shared(test::designTable())));
  ASSERT_TRUE(QTest::qWaitFor([&] { return plots.names().contains("Design"); }, kWait));
  EXPECT_EQ(plots.quantities(), (QStringList{"Design", "Chain", "Means", "Histogram of an image"}));
  EXPECT_EQ(plots.quantity(), "Design");
  EXPECT_TRUE(plots.subjects().isEmpty());
  plots.setQuantity("Chain");
  EXPECT_EQ(plots.current(), "Chain: visual");
  EXPECT_EQ(plots.subjects(), (QStringList{"visual", "auditory"}));
  plots.setSubject("auditory");
  EXPECT_EQ(plots.current(), "Chain: auditory");
  plots.setQuantity("Means");
  EXPECT_EQ(plots.current(), "Means: auditory") << "the regressor stays";
  plots.setQuantity("Design");
  plots.setQuantity("Chain");
  EXPECT_EQ(plots.current(), "Chain: auditory");
  layers.setCurrent(layers.add(shared(volumeLayer("other"))));
  layers.setCurrent(layers.layers().front().id);
  plots.setQuantity("Histogram of an image");
  EXPECT_EQ(plots.current(), "Histogram of an image: image") << "that of the chosen layer";
  plots.setQuantity("Chain");
  layers.setCurrent(layers.layers().back().id);
  plots.setQuantity("Histogram of an image");
  EXPECT_EQ(plots.current(), "Histogram of an image: other");
}

TEST_F(PlotsModelTest, MakesOnlyTheNewestOfManyCharts) {
  run(RunChoice::cpu);
  ASSERT_TRUE(waitForTitle("x = 0 mm"));
  const int before = calls->chart;
  std::promise<void> release;
  quick.submit([future = release.get_future().share()](const Progress&) { return future.wait(), 0; },
               [](int) {});
  for (int i = 1; i <= 100; ++i) view.setCrosshair({double(i), 0, 0});
  release.set_value();
  ASSERT_TRUE(waitForTitle("x = 100 mm"));
  EXPECT_LE(calls->chart - before, 2);
}

TEST_F(PlotsModelTest, LaysBothResultsOfAComparisonOverEachOther) {
  run(RunChoice::both);
  ASSERT_TRUE(waitFor([&] { return plots.charts().size() == 2; }));
  EXPECT_EQ(plots.charts()[0].run, "CPU");
  EXPECT_EQ(plots.charts()[1].run, "GPU");
  // A third run alone, then a layer of the comparison again.
  run(RunChoice::cpu);
  ASSERT_TRUE(waitFor([&] { return plots.charts().size() == 1; }));
  layers.setCurrent(runs.runs()[1]->layers.front());
  ASSERT_TRUE(waitFor([&] { return plots.charts().size() == 2; }));
}

TEST_F(PlotsModelTest, MakesNothingWhileHiddenAndCatchesUp) {
  plots.setActive(false);
  run(RunChoice::cpu);
  view.setCrosshair({5, 0, 0});
  EXPECT_EQ(calls->chart, 0);
  plots.setActive(true);
  EXPECT_TRUE(waitForTitle("x = 5 mm"));
}

TEST_F(PlotsModelTest, LetsGoOfResultsThatAreClosed) {
  run(RunChoice::cpu);
  ASSERT_TRUE(waitForTitle("x = 0 mm"));
  const std::weak_ptr<const model::Run> held = runs.runs().front();
  while (!layers.empty()) layers.remove(layers.layers().back().id);
  EXPECT_TRUE(names().isEmpty());
  EXPECT_TRUE(waitFor([&] { return plots.charts().empty() && held.expired(); }));
}

TEST_F(PlotsModelTest, ShowsTheCurveOfARunInProgressAndThenItsResult) {
  run(RunChoice::cpu);
  plots.setCurrent("Histogram");
  presenter.options().set("steps", std::int64_t(30));
  presenter.options().set("hold", true);
  QSignalSpy idle(&runs, &RunController::idle);
  runs.start(presenter, RunChoice::cpu);
  ASSERT_TRUE(waitForTitle("step 29"));
  EXPECT_EQ(plots.current(), "Progress");
  EXPECT_EQ(names(), (QStringList{"Progress", "Trace", "Histogram"})) << "those before stay at hand";
  EXPECT_EQ(plots.charts().size(), 1u);
  EXPECT_EQ(plots.charts().front().chart.series.front().x.size(), 30u);
  jobs.cancel(jobs.idAt(0));
  ASSERT_TRUE(idle.count() > 0 || idle.wait(kWait));
  EXPECT_EQ(names(), (QStringList{"Trace", "Histogram"})) << "dropped with the run";
  presenter.options().set("hold", false);
  run(RunChoice::cpu);
  EXPECT_EQ(names(), (QStringList{"Trace", "Histogram"})) << "the result has taken its place";
  ASSERT_TRUE(waitForTitle("x = 0 mm"));
}

TEST_F(PlotsModelTest, ChoosesAPlotByName) {
  run(RunChoice::cpu);
  plots.setCurrent("Histogram");
  ASSERT_TRUE(waitForTitle("posterior means"));
  plots.setCurrent("none of that name");
  EXPECT_EQ(plots.current(), "Histogram");
}

TEST(ChartCsv, HasARowPerPointWithItsRunAndSeries) {
  Chart chart;
  chart.xLabel = "time (s)";
  chart.yLabel = "signal, %";
  chart.series = {{"fit", Chart::Kind::line, {0, 1.5}, {2, 0.25}, {}},
                  {"90 %", Chart::Kind::band, {0}, {1}, {3}},
                  {"onset", Chart::Kind::marks, {7}, {}, {}}};
  EXPECT_EQ(chartCsv({{"CPU", chart}}),
            "run,series,time (s),\"signal, %\",\"signal, %, upper end\"\n"
            "CPU,fit,0,2,\nCPU,fit,1.5,0.25,\nCPU,90 %,0,1,3\nCPU,onset,7,,\n");
}

TEST(ChartCsv, NamesWhatPointsAreAbout) {
  Chart chart;
  chart.series = {
      {"people", Chart::Kind::points, {1, 2}, {3, 4}, {}, {}, {{"sub-1", {}, 0}, {"sub-2", {}, 0}}},
      {"mean", Chart::Kind::line, {1}, {3.5}, {}}};
  EXPECT_EQ(chartCsv({{"", chart}}),
            "run,series,x,y,\"y, upper end\",name\n,people,1,3,,sub-1\n,people,2,4,,sub-2\n,mean,1,3.5,,\n");
}

TEST(ChartCsv, HasTheColumnsOfAMatrix) {
  Chart chart;
  chart.matrix = Chart::Matrix{{"a", "b\"c"}, {{1, 2}, {3, 4}}};
  EXPECT_EQ(chartCsv({{"", chart}}), "a,\"b\"\"c\"\n1,2\n3,4\n");
  EXPECT_EQ(chartCsv({}), "");
}

}  // namespace
}  // namespace sulcus::ui::model
