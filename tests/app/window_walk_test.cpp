// A working session in the window, for each analysis with real key and mouse events: open, run on both
// backends, compare, change a parameter, export, close, open again. The views then have the same pixels.
// Without a GPU, the CPU is used in its place.
#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "core/io/files.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/views/view_area.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

struct Day {
  const char* analysis;
  const char* option;  ///< the option to change
  const char* value;
};

std::vector<Analysis> analysesOfHere(bool withGpu) {
  std::vector<Analysis> all = analyses::table();
  if (!withGpu)
    for (Analysis& analysis : all) analysis.gpu = analysis.cpu;
  return all;
}

struct WindowWalk : ui::widgets::WindowFixture, testing::WithParamInterface<Day> {
  WindowWalk() : WindowFixture(analysesOfHere(!analyses::deviceReport().devices.empty())) {}

  const Day& day = GetParam();
  const QString session = folder.filePath("day.sulcus");

  void openWindow() {
    const DeviceReport here = analyses::deviceReport();
    open(here.devices.empty() ? test::oneDevice() : here);
    window->resize(1300, 860);
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get(), ui::widgets::kWait));
  }
  bool settle() {
    return waitFor([this] {
      return workspace->files().pending() == 0 && workspace->runs().pending() == 0 &&
             workspace->jobs().active() == 0;
    });
  }
  QImage views() {
    EXPECT_TRUE(settle() && waitUntilDrawn());
    window->views().finishDrawing();
    return window->views().screenshot(1);
  }
  /// Whether two pictures are equal; both are kept for visual inspection if pictures are kept.
  void expectSame(const QImage& now, const QImage& before, const char* what) {
    EXPECT_TRUE(now == before) << what;
    const char* kept = std::getenv("SULCUS_KEEP_PICTURES");
    if (!kept) return;
    const QString stem = QStringLiteral("%1/walk-%2-%3").arg(kept, day.analysis, what);
    before.save(stem + "-before.png"), now.save(stem + "-after.png");
  }
  ui::model::AnalysisPresenter& presenter() { return *workspace->presenters().named(day.analysis); }

  /// The demo as files that are opened, each assigned to its slot.
  void openScans() {
    const auto row = std::ranges::find(analyses, std::string(day.analysis), &Analysis::name);
    OptionValues options;
    for (const OptionInfo& option : row->demoOptions) options[option.name] = option.defaultValue;
    QStringList files;
    std::map<QString, std::string> slotOf;
    for (const auto& [slot, layer] : row->demo(options)) {
      const QString file =
          folder.filePath(QString::fromStdString(slot + "_" + layer->name + usualExtension(*layer)));
      io::saveLayer(*layer, file.toStdString());
      files << file, slotOf[file] = slot;
    }
    window->openFiles(files);
    ASSERT_TRUE(settle());
    window->selectAnalysis(day.analysis);
    for (const auto& state : layers().layers())
      if (const auto slot = slotOf.find(QString::fromStdString(state.layer->source)); slot != slotOf.end())
        presenter().inputs().choose(slot->second, state.id);
    ASSERT_TRUE(settle());
  }
  void press(const char* button) {
    QPushButton* found = nullptr;
    for (QPushButton* one : window->findChildren<QPushButton*>(QLatin1String(button)))
      if (one->isVisible()) found = one;
    ASSERT_TRUE(found && found->isEnabled()) << button;
    QTest::mouseClick(found, Qt::LeftButton);
    ASSERT_TRUE(settle());
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get(), ui::widgets::kWait));
    QTest::keyClick(window.get(), key, modifiers);
  }
  void chooseFile(const QString& file) {
    ASSERT_TRUE(waitFor([this] { return !window->findChildren<QFileDialog*>().empty(); }));
    auto* dialog = window->findChildren<QFileDialog*>().back();
    emit dialog->fileSelected(file);
    dialog->close();
    ASSERT_TRUE(waitFor([this] { return window->findChildren<QFileDialog*>().empty(); }));
    ASSERT_TRUE(settle());
  }
  void typeParameter() {
    QWidget* editor = nullptr;
    for (QToolButton* more : window->findChildren<QToolButton*>())
      if (more->text().startsWith("More") && more->isVisible() && !more->isChecked()) more->click();
    for (QWidget* one : window->findChildren<QWidget*>(QStringLiteral("option.") + day.option))
      if (window->isAncestorOf(one) && one->parentWidget()->isVisibleTo(window.get())) editor = one;
    ASSERT_TRUE(editor) << day.option;
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, day.value);
    QTest::keyClick(editor, Qt::Key_Return);
  }
};

TEST_P(WindowWalk, EndsInTheSamePixels) {
  openWindow();
  openScans();
  press("run.both");
  ASSERT_EQ(workspace->runs().runs().size(), 2u);
  ASSERT_TRUE(waitFor([this] { return window->comparePanel().model().rowCount() > 0; })) << "compared";
  ASSERT_TRUE(window->trigger("view.grid"));
  const OptionValues before = presenter().options().values();
  typeParameter();
  ASSERT_NE(presenter().options().values(), before);
  press("run.cpu");
  ASSERT_EQ(workspace->runs().runs().size(), 3u);
  QWidget* slice = window->views().slice(ui::model::Plane::axial)->focusProxy();
  QTest::mouseClick(slice, Qt::LeftButton, {}, slice->rect().center() + QPoint(9, 7));

  views();
  const QImage grid = window->views().screenshotWithBars(1);
  key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  chooseFile(folder.filePath("views.png"));
  EXPECT_EQ(QImage(folder.filePath("views.png")).convertToFormat(grid.format()), grid);
  const auto& run = *workspace->runs().runs().back();
  layers().setCurrent(run.layers.front());
  const LayerPtr result = layers().find(run.layers.front())->layer;
  ASSERT_TRUE(window->trigger("file.save"));
  const QString volume = folder.filePath("result" + QString::fromStdString(usualExtension(*result)));
  chooseFile(volume);
  EXPECT_EQ(kindOf(io::openLayer(volume.toStdString())), kindOf(*result));
  ASSERT_TRUE(window->trigger("view.compare"));
  const QImage compare = views();
  ASSERT_TRUE(window->trigger("view.grid"));
  key(Qt::Key_S, Qt::ControlModifier);
  chooseFile(session);
  const QImage saved = views();
  window->close();
  ASSERT_FALSE(window->isVisible()) << "nothing is lost";

  openWindow();
  window->openFiles({session});
  ASSERT_TRUE(settle());
  EXPECT_EQ(workspace->runs().runs().size(), 3u);
  expectSame(views(), saved, "grid");
  ASSERT_TRUE(window->trigger("view.compare"));
  expectSame(views(), compare, "compare");
}

INSTANTIATE_TEST_SUITE_P(Each, WindowWalk,
                         testing::Values(Day{"fibers", "max-peaks", "1"},
                                         Day{"activation", "noise-prior-dof", "5"},
                                         Day{"registration", "lambda", "0.02"},
                                         Day{"surface", "neighbours", "24"}),
                         [](const auto& info) { return std::string(info.param.analysis); });

}  // namespace
}  // namespace sulcus::app
