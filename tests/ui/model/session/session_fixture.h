#pragma once

#include "core/io/files.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/model/session/session.h"
#include "ui/model/workspace.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

// A workspace with a session, for tests.
namespace sulcus::ui::model {

struct SessionTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis(), test::richAnalysis()};
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<QSignalSpy> failed, opened, missing;
  const QString file = folder.filePath("study.sulcus");

  SessionTest() { start(); }
  /// The workspace of a new window.
  void start() {
    workspace.reset();
    workspace = std::make_unique<Workspace>(
        analyses, [] { return test::oneDevice(); }, settings);
    failed = std::make_unique<QSignalSpy>(workspace.get(), &Workspace::failed);
    opened = std::make_unique<QSignalSpy>(&session(), &Session::opened);
    missing = std::make_unique<QSignalSpy>(&session(), &Session::missing);
  }
  Session& session() { return workspace->session(); }
  LayerStack& layers() { return workspace->layers(); }
  AnalysisPresenter& rich() { return *workspace->presenters().named("rich"); }
  const LayerState* named(const QString& name) {
    for (const LayerState& state : layers().layers())
      if (state.name == name) return &state;
    return nullptr;
  }
  QStringList names() {
    QStringList all;
    for (const LayerState& state : layers().layers()) all << state.name;
    return all;
  }
  bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kWait); }
  bool settle() {
    return waitFor([this] {
      return workspace->runs().pending() == 0 && workspace->jobs().active() == 0 &&
             workspace->files().pending() == 0;
    });
  }
  QString scan(const char* name, float value = 1) {
    const QString path = folder.filePath(QLatin1String(name) + QStringLiteral(".nii"));
    io::saveLayer(test::volumeLayer(name, {4, 5, 6}, value), path.toStdString(), true);
    return path;
  }
  void openScan(const char* name) {
    workspace->files().open({scan(name)});
    ASSERT_TRUE(settle());
  }
  void run(RunChoice choice = RunChoice::cpu) {
    workspace->processors().ask();
    ASSERT_TRUE(waitFor([&] { return workspace->canRun(choice); }));
    ASSERT_TRUE(workspace->run(choice));
    ASSERT_TRUE(settle());
  }
  void save() {
    session().save(file);
    ASSERT_TRUE(settle());
    ASSERT_EQ(failed->count(), 0) << failed->front().back().toString().toStdString();
  }
  void open(const QString& lookIn = {}, bool rest = false) {
    session().open(file, lookIn, rest);
    ASSERT_TRUE(settle());
  }
  QByteArray bytes() {
    QFile in(file);
    EXPECT_TRUE(in.open(QIODevice::ReadOnly));
    return in.readAll();
  }
  void write(const QByteArray& text) {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(text);
  }
  /// Waits until the changes have become a step.
  void step() {
    QSignalSpy changed(&session(), &Session::changed);
    ASSERT_TRUE(changed.wait(kWait));
  }
  std::vector<float> values(const QString& name) {
    const LayerState* state = named(name);
    if (!state) return {};
    return std::get<VolumeLayer>(state->layer->content).series->values;
  }
};

}  // namespace sulcus::ui::model
