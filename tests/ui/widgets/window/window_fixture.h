#pragma once

#include "tests/ui/fake_analysis.h"
#include "tests/ui/qt_folder.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/theme.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// The whole window, for tests.
namespace sulcus::ui::widgets {

constexpr int kWait = 600'000;  ///< ms; only a failure takes that long

/// A window with its own workspace and its settings in a temporary folder. It exists after open().
class WindowFixture : public testing::Test {
 protected:
  explicit WindowFixture(std::vector<Analysis> offered = {test::fakeAnalysis()})
      : analyses(std::move(offered)) {}

  /// Shows the window and waits until it knows these devices.
  void open(const DeviceReport& report = {{}, "no CUDA driver"}) {
    window.reset();
    workspace = std::make_unique<model::Workspace>(
        analyses, [report] { return report; }, settings);
    useShippedFont();  // before any widget, as the program does
    window = std::make_unique<MainWindow>(*workspace, settings);
    QSignalSpy known(&workspace->processors(), &model::Processors::known);
    window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get(), kWait));
    ASSERT_TRUE(known.count() > 0 || known.wait(kWait));
  }

  model::LayerStack& layers() { return workspace->layers(); }
  model::ViewState& view() { return workspace->view(); }
  model::LayerId add(Layer layer) { return layers().add(test::shared(std::move(layer))); }
  /// The layer of this name, or null.
  const model::LayerState* named(const QString& name) {
    for (const model::LayerState& state : layers().layers())
      if (state.name == name) return &state;
    return nullptr;
  }
  template <class T>
  T* child(const char* name) {
    return window->findChild<T*>(QLatin1String(name));
  }
  /// Runs a command that starts runs and waits until they have ended.
  void run(const char* command) {
    ASSERT_TRUE(window->trigger(QLatin1String(command)));
    ASSERT_TRUE(waitUntilIdle());
  }
  bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kWait); }
  /// Waits until a widget within this one has the focus. Tests running in parallel also open windows, each of
  /// which takes the focus, so it is requested repeatedly.
  bool waitForFocus(QWidget& within) {
    return waitFor([&] {
      if (within.isAncestorOf(QApplication::focusWidget())) return true;
      window->activateWindow();
      return false;
    });
  }
  /// Presses a key in the focused widget of the window.
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    ASSERT_TRUE(waitForFocus(*window));
    QTest::keyClick(QApplication::focusWidget(), key, modifiers);
  }
  bool waitUntilDrawn() {
    return waitFor([this] { return RenderScheduler::of(view()).idle(); });
  }
  bool waitUntilIdle() {
    return waitFor([this] { return workspace->runs().pending() == 0 && workspace->jobs().active() == 0; });
  }
  /// Saves a picture of the window for visual inspection if SULCUS_KEEP_PICTURES names a folder.
  void keep(const char* name) {
    if (const char* kept = std::getenv("SULCUS_KEEP_PICTURES"))
      window->windowPicture().save(
          QStringLiteral("%1/%2.png").arg(QString::fromUtf8(kept), QLatin1String(name)));
  }

  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses;
  std::unique_ptr<model::Workspace> workspace;
  std::unique_ptr<MainWindow> window;
};

}  // namespace sulcus::ui::widgets
