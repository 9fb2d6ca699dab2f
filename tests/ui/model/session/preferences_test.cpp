#include "ui/model/session/preferences.h"

#include "core/base/parallel/parallel_for.h"
#include "tests/support/expect_error.h"
#include "tests/ui/model/session/session_fixture.h"
#include "ui/model/views/mouse_bindings.h"

#include <atomic>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

struct PreferencesTest : SessionTest {
  Preferences with(const std::function<void(Preferences&)>& change) {
    Preferences preferences = workspace->preferences().values();
    change(preferences);
    workspace->preferences().set(preferences);
    return preferences;
  }
  AnalysisPresenter& fake() { return *workspace->presenters().named("fake"); }
};

TEST_F(PreferencesTest, AreThereAtTheNextStart) {
  const Preferences set = with([](Preferences& p) {
    p.threads = 3, p.gpu = -1, p.memory = 7.5, p.radiological = false;
    p.rightButton = MouseScheme::zoom, p.autosave = 120, p.results = "/data/out", p.keepParameters = false;
    p.scanColors = "viridis";
  });
  start();
  EXPECT_EQ(workspace->preferences().values(), set);
  EXPECT_FALSE(workspace->view().radiological());
  EXPECT_EQ(workspace->view().mouseScheme(), MouseScheme::zoom);
}

TEST_F(PreferencesTest, NonsenseInTheSettingsIsTheDefault) {
  settings.setValue("preferences/threads", "many");
  settings.setValue("preferences/gpu", -7);
  EXPECT_EQ(PreferenceStore(settings).values(), Preferences());
}

TEST_F(PreferencesTest, WhatTheMenuChangesIsOneOfThem) {
  workspace->view().setRadiological(false);
  EXPECT_FALSE(workspace->preferences().values().radiological);
  start();
  EXPECT_FALSE(workspace->view().radiological());
}

TEST_F(PreferencesTest, NewScansHaveTheColorsThatWereChosen) {
  const auto added = [this](Layer layer) {
    return layers().find(layers().add(test::shared(std::move(layer))))->display.colormap;
  };
  Layer scan = test::volumeLayer("scan");
  scan.source = "/data/scan.nii";
  const LayerId before = layers().add(test::shared(scan));
  with([](Preferences& p) { p.scanColors = "viridis"; });
  EXPECT_EQ(layers().find(before)->display.colormap, "gray") << "what is open stays as it is";
  EXPECT_EQ(added(scan), "viridis");
  Layer map = scan;
  map.display.colormap = "heat";
  EXPECT_EQ(added(map), "heat");
  map = scan, map.provenance = std::make_shared<const Provenance>();
  EXPECT_EQ(added(map), "gray") << "an analysis made it";
  EXPECT_EQ(added(test::volumeLayer("result")), "gray") << "no file";
  map = scan, map.unit = "z";
  EXPECT_EQ(added(map), "yellow-red") << "the map of a statistic";
}

TEST_F(PreferencesTest, RunsUseNoMoreThreads) {
  const auto seen = std::make_shared<std::atomic<int>>(0);
  analyses.front().cpu = [seen, inner = analyses.front().cpu](const auto& inputs, const auto& options,
                                                              const Progress& progress, const auto& preview) {
    *seen = threadCount();
    return inner(inputs, options, progress, preview);
  };
  start();
  layers().add(test::shared(test::volumeLayer("image")));
  with([](Preferences& p) { p.threads = 1; });
  workspace->runs().start(fake(), RunChoice::cpu);
  ASSERT_TRUE(settle());
  EXPECT_EQ(*seen, 1);
}

TEST_F(PreferencesTest, ARunThatNeedsMoreMemoryIsRefusedBeforeItStarts) {
  analyses.front().memory = [](const AnalysisInputs&, const OptionValues&) { return MemoryNeed{3e9, 0}; };
  start();
  layers().add(test::shared(test::volumeLayer("image")));
  EXPECT_EQ(fake().whyNot(RunChoice::cpu), "");
  with([](Preferences& p) { p.memory = 2; });
  EXPECT_TRUE(fake().whyNot(RunChoice::cpu).contains("the preferences allow"));
  with([](Preferences& p) { p.memory = 4; });
  EXPECT_EQ(fake().whyNot(RunChoice::cpu), "");
}

TEST_F(PreferencesTest, ChooseTheGpuOrNone) {
  workspace->processors().ask();
  ASSERT_TRUE(waitFor([&] { return fake().devices().known; }));
  EXPECT_EQ(fake().devices().report.devices.size(), 1u);
  with([](Preferences& p) { p.gpu = -1; });
  ASSERT_TRUE(waitFor([&] { return fake().devices().report.devices.empty(); }));
  EXPECT_TRUE(fake().whyNot(RunChoice::gpu).contains("switched off in the preferences"));
  with([](Preferences& p) { p.gpu = 4; });
  ASSERT_TRUE(waitFor([&] { return fake().whyNot(RunChoice::gpu).contains("name GPU 4"); }));
}

TEST_F(PreferencesTest, EachAnalysisBeginsWithTheParametersItHadLast) {
  fake().options().set("gain", 5.5);
  rich().options().set({{"scale", 3.0}, {"contrasts", std::string("a - b")}});
  start();
  EXPECT_EQ(fake().options().values().at("gain"), OptionValue(5.5));
  EXPECT_EQ(rich().options().values().at("scale"), OptionValue(3.0));
  EXPECT_EQ(rich().options().values().at("contrasts"), OptionValue(std::string()))
      << "a text belongs to the inputs that it was written for";
  with([](Preferences& p) { p.keepParameters = false; });
  start();
  EXPECT_EQ(fake().options().values().at("gain"), OptionValue(2.0));
}

TEST_F(PreferencesTest, ParametersAreKeptUnderAName) {
  fake().options().set("gain", 5.5);
  fake().options().savePreset("mine");
  EXPECT_EQ(fake().options().preset(), "mine");
  fake().options().reset();
  EXPECT_EQ(fake().options().preset(), "");
  start();
  ASSERT_EQ(fake().options().ownPresets().size(), 1u);
  fake().options().setPreset("mine");
  EXPECT_EQ(fake().options().values().at("gain"), OptionValue(5.5));
  fake().options().removePreset("mine");
  EXPECT_EQ(fake().options().preset(), std::nullopt);
  start();
  EXPECT_TRUE(fake().options().ownPresets().empty());
}

TEST_F(PreferencesTest, APresetOfTheAnalysisIsNotReplaced) {
  test::expectError([&] { rich().options().savePreset("strict"); }, {"is a preset of"}, ErrorKind::usage);
  test::expectError([&] { rich().options().savePreset(""); }, {"has no name"}, ErrorKind::usage);
}

TEST(MouseBindings, AreThoseOfAllViewersWhereTheyDoNotContradict) {
  const auto action = [](Qt::MouseButton button, Qt::KeyboardModifiers keys, MouseScheme scheme) {
    return dragAction(button, keys, scheme);
  };
  for (const MouseScheme scheme : {MouseScheme::windowLevel, MouseScheme::zoom}) {
    EXPECT_EQ(action(Qt::LeftButton, Qt::NoModifier, scheme), DragAction::crosshair);
    EXPECT_EQ(action(Qt::LeftButton, Qt::ShiftModifier, scheme), DragAction::pan);
    EXPECT_EQ(action(Qt::LeftButton, Qt::AltModifier, scheme), DragAction::pan);
    EXPECT_EQ(action(Qt::MiddleButton, Qt::NoModifier, scheme), DragAction::pan);
    EXPECT_EQ(action(Qt::LeftButton, Qt::ControlModifier, scheme), DragAction::zoom);
    EXPECT_EQ(action(Qt::LeftButton, Qt::ControlModifier | Qt::ShiftModifier, scheme),
              DragAction::windowLevel);
  }
  EXPECT_EQ(action(Qt::RightButton, Qt::NoModifier, MouseScheme::windowLevel), DragAction::windowLevel);
  EXPECT_EQ(action(Qt::RightButton, Qt::NoModifier, MouseScheme::zoom), DragAction::zoom);
}

}  // namespace
}  // namespace sulcus::ui::model
