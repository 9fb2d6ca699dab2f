// Sessions: undo and redo, and automatic saving.
#include "tests/ui/model/session/session_fixture.h"

#include <QDir>
#include <QTimer>

#include <unistd.h>

namespace sulcus::ui::model {
namespace {

using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct SessionUndoTest : SessionTest {};

TEST_F(SessionUndoTest, TakesBackAndBringsBackChangesStepByStep) {
  openScan("scan");
  step();
  const LayerId id = named("scan")->id;
  const Display before = named("scan")->display;
  for (int i = 1; i <= 50; ++i) {  // a drag
    Display display = before;
    display.opacity = 1 - i * 0.01;
    layers().setDisplay(id, display);
  }
  step();
  EXPECT_EQ(session().undoText(), "display of scan");
  layers().rename(id, "renamed");
  step();
  workspace->presenters().named("fake")->options().set("gain", 7.0);
  step();
  layers().remove(id);
  step();
  EXPECT_EQ(session().undoText(), "removal of renamed");
  session().undo();
  ASSERT_TRUE(named("renamed"));
  EXPECT_EQ(named("renamed")->id, id) << "the same layer";
  EXPECT_EQ(workspace->presenters().named("fake")->inputs().first("image"), id);
  session().undo();
  EXPECT_EQ(std::get<double>(workspace->presenters().named("fake")->options().values().at("gain")), 2);
  session().undo();
  session().undo();
  EXPECT_EQ(named("scan")->display, before) << "one drag, one step";
  session().undo();
  EXPECT_TRUE(layers().empty());
  EXPECT_FALSE(session().canUndo());
  for (int i = 0; i < 4; ++i) session().redo();
  EXPECT_EQ(named("renamed")->display.opacity, 0.5);
  EXPECT_EQ(std::get<double>(workspace->presenters().named("fake")->options().values().at("gain")), 7);
  session().redo();
  EXPECT_TRUE(layers().empty());
  EXPECT_FALSE(session().canRedo());
}

TEST_F(SessionUndoTest, BringsBackARunWithItsSliders) {
  workspace->presenters().choose(&rich());
  layers().add(shared(volumeLayer("image")));
  run();
  const RunPtr before = workspace->runs().runs().front();
  step();
  for (const LayerId id : before->layers) layers().remove(id);
  EXPECT_TRUE(workspace->runs().runs().empty());
  step();
  session().undo();
  ASSERT_EQ(workspace->runs().runs().size(), 1u);
  rich().options().set("level", 2.0);
  ASSERT_TRUE(
      waitFor([&] { return named("level (CPU)") && test::firstValue(*named("level (CPU)")->layer) == 2; }));
  step();
  session().undo();
  EXPECT_EQ(test::firstValue(*named("level (CPU)")->layer), 0);
  EXPECT_EQ(std::get<double>(rich().options().values().at("level")), 0);
  EXPECT_EQ(std::get<double>(workspace->runs().runs().front()->options.at("level")), 0);
}

TEST_F(SessionUndoTest, TakesNoStepWhenAnotherRunIsLookedAt) {
  workspace->presenters().choose(&rich());
  layers().add(shared(volumeLayer("image")));
  run();
  rich().options().set("scale", 2.0);
  run();
  const auto& runs = workspace->runs().runs();
  rich().options().set("level", 2.0);
  ASSERT_TRUE(waitFor([&] { return std::get<double>(runs.back()->options.at("level")) == 2; }));
  step();
  layers().setCurrent(runs.front()->layers.front());
  EXPECT_EQ(std::get<double>(rich().options().values().at("level")), 0)
      << "the form shows the values of the run";
  layers().rename(named("image")->id, "renamed");
  step();
  EXPECT_EQ(session().undoText(), "name renamed") << "and that is no step of its own";
  session().undo();
  EXPECT_EQ(std::get<double>(runs.back()->options.at("level")), 2);
}

TEST_F(SessionUndoTest, BringsBackARunTogetherAndSaved) {
  workspace->presenters().choose(&rich());
  layers().add(shared(volumeLayer("image")));
  run();
  const std::vector<LayerId> shown = workspace->runs().runs().front()->layers;
  ASSERT_GT(shown.size(), 1u);
  step();
  for (const LayerId id : shown)
    workspace->files().save(id, folder.filePath(QStringLiteral("map%1.nii").arg(id)));
  ASSERT_TRUE(settle());
  ASSERT_EQ(failed->count(), 0) << failed->front().back().toString().toStdString();
  EXPECT_FALSE(session().modified());
  for (const LayerId id : shown) layers().remove(id);
  step();
  QSignalSpy together(&workspace->runs(), &RunController::layersShown);
  session().undo();
  ASSERT_EQ(together.count(), 1) << "the list of layers does not know which belong together";
  EXPECT_EQ(together.front().front().value<std::vector<LayerId>>(), shown);
  EXPECT_EQ(workspace->session().lossOf(shown), QString()) << "their files hold them still";
  EXPECT_FALSE(session().modified());
}

TEST_F(SessionUndoTest, TakesStepsWhileARunShowsHowFarItIs) {
  workspace->presenters().choose(&rich());
  openScan("scan");
  step();
  rich().options().set("hold", true);
  rich().options().set("steps", std::int64_t(1));
  ASSERT_TRUE(waitFor([&] { return session().undoText() == "parameters of rich"; }));
  workspace->processors().ask();
  ASSERT_TRUE(waitFor([&] { return workspace->canRun(RunChoice::cpu); }));
  ASSERT_TRUE(workspace->run(RunChoice::cpu));
  ASSERT_TRUE(waitFor([&] { return named("map (CPU)") != nullptr; }));
  const LayerId preview = named("map (CPU)")->id;
  layers().rename(named("scan")->id, "renamed");
  // Continuous previews.
  QTimer previews;
  QObject::connect(&previews, &QTimer::timeout, [&] {
    layers().replaceContent(preview, shared(volumeLayer("map", {4, 5, 6})));
  });
  previews.start(50);
  EXPECT_TRUE(waitFor([&] { return session().undoText() == "name renamed"; }));
  previews.stop();
  session().undo();
  EXPECT_TRUE(named("scan"));
  EXPECT_TRUE(named("map (CPU)")) << "what the run shows stays";
  workspace->jobs().cancelAll();
  ASSERT_TRUE(settle());
}

TEST_F(SessionUndoTest, IsOneStepAsLongAsAHandHolds) {
  openScan("scan");
  step();
  bool held = true;
  int asked = 0;
  session().setHeld([&] { return ++asked, held; });
  for (int i = 0; i < 3; ++i) {
    layers().setVisible(named("scan")->id, i % 2 != 0);
    ASSERT_TRUE(waitFor([&, before = asked] { return asked > before; })) << "it would have been a step";
  }
  held = false;
  step();
  session().undo();
  EXPECT_TRUE(named("scan")->display.visible);
  EXPECT_TRUE(session().canUndo());
  session().undo();
  EXPECT_TRUE(layers().empty());
}

struct AutosaveTest : SessionTest {
  const std::filesystem::path parent = folder.filePath("state").toStdString();
  int folders() {
    return int(
        QDir(QString::fromStdString(parent.string())).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size());
  }
  bool autosave() {
    session().autosaveIn(parent);
    session().autosave();
    return waitFor([&] {
      for (const auto& entry : std::filesystem::directory_iterator(parent))
        if (std::filesystem::exists(entry.path() / "session.sulcus")) return true;
      return false;
    });
  }
};

TEST_F(AutosaveTest, LeavesNothingWhenTheWindowEndsWell) {
  openScan("scan");
  run();
  std::filesystem::create_directories(parent);
  ASSERT_TRUE(autosave());
  EXPECT_EQ(folders(), 1);
  workspace.reset();
  EXPECT_EQ(folders(), 0);
}

TEST_F(AutosaveTest, RecoversWhatAKilledWindowHad) {
  openScan("scan");
  run();
  save();
  workspace->view().setCrosshair({1, 2, 3});
  layers().rename(named("scan")->id, "renamed");
  std::filesystem::create_directories(parent);
  ASSERT_TRUE(autosave());
  const auto before = values("product (CPU)");
  const std::string left = std::filesystem::directory_iterator(parent)->path();
  // What a kill leaves: the folder, with no process holding its lock.
  std::filesystem::copy(left, parent / "killed", std::filesystem::copy_options::recursive);
  {
    Workspace second(
        analyses, [] { return oneDevice(); }, settings);
    second.session().autosaveIn(parent);
    EXPECT_FALSE(second.session().recoverable().isEmpty());
    Workspace third(
        analyses, [] { return oneDevice(); }, settings);
    third.session().autosaveIn(parent);
    EXPECT_TRUE(third.session().recoverable().isEmpty()) << "one of them has it, the other is at work";
  }
  EXPECT_TRUE(std::filesystem::exists(parent / "killed")) << "nobody has decided yet";
  start();
  EXPECT_EQ(folders(), 1);
  session().autosaveIn(parent);
  ASSERT_FALSE(session().recoverable().isEmpty());
  session().recover();
  ASSERT_TRUE(settle());
  ASSERT_EQ(opened->count(), 1);
  EXPECT_TRUE(named("renamed"));
  EXPECT_EQ(values("product (CPU)"), before);
  EXPECT_EQ(workspace->view().crosshair(), (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(session().file(), file) << "its own file, which has not been written";
  EXPECT_TRUE(session().modified());
  EXPECT_TRUE(std::filesystem::exists(parent / "killed/session.sulcus")) << "until it ends well";
  save();
  EXPECT_FALSE(session().modified());
  start();
  EXPECT_EQ(folders(), 0);
}

// Without HOME, others may write to the folder, and a recovered session overwrites the file that it names.
TEST_F(AutosaveTest, IgnoresWhatOtherUsersLeft) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  openScan("scan");
  std::filesystem::create_directories(parent);
  ASSERT_TRUE(autosave());
  const std::string left = std::filesystem::directory_iterator(parent)->path();
  std::filesystem::copy(left, parent / "killed", std::filesystem::copy_options::recursive);
  ASSERT_EQ(chown((parent / "killed").c_str(), 65534, 65534), 0);
  start();
  session().autosaveIn(parent);
  EXPECT_TRUE(session().recoverable().isEmpty());
  EXPECT_TRUE(std::filesystem::exists(parent / "killed/session.sulcus"));
}

TEST_F(AutosaveTest, DropsWhatIsNotWanted) {
  openScan("scan");
  std::filesystem::create_directories(parent);
  ASSERT_TRUE(autosave());
  const std::string left = std::filesystem::directory_iterator(parent)->path();
  std::filesystem::copy(left, parent / "killed", std::filesystem::copy_options::recursive);
  start();
  session().autosaveIn(parent);
  ASSERT_FALSE(session().recoverable().isEmpty());
  session().dropRecoverable();
  EXPECT_TRUE(session().recoverable().isEmpty());
  EXPECT_EQ(folders(), 0);
}

}  // namespace
}  // namespace sulcus::ui::model
