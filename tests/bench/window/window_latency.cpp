// How long a user waits for the window: from a movement of the crosshair, a turn of the wheel, or a rotation
// of the 3D view to the picture.
//   sulcus-window-latency [--while ANALYSIS] [WxH [LAYOUT]] FILES…
// --while: this analysis runs on its demo on the CPU meanwhile, repeatedly, and its results are shown.
// Processor time is reported next to wall-clock time, since other programs hardly affect it; at the end also
// the longest that the main thread was busy in one pass of the event loop while the files were opened and
// afterwards.
#include "app/analyses/table.h"
#include "tests/bench/measure.h"
#include "tests/bench/window/measured_hand.h"
#include "tests/ui/turn_meter.h"
#include "ui/model/workspace.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QEventLoop>
#include <QOpenGLContext>
#include <QSettings>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using namespace sulcus::ui;
using sulcus::bench::median, sulcus::bench::settle;
namespace bench = sulcus::bench;

constexpr int kMoves = 40;

/// Counts the paint events of the views, when the user sees the effect.
struct PaintCounter : QObject {
  int paints = 0;
  bool eventFilter(QObject*, QEvent* event) override {
    paints += event->type() == QEvent::Paint;
    return false;
  }
};

/// Keeps the processor busy with an analysis, until the program ends.
void runAgainAndAgain(model::Workspace& workspace, const QString& analysis) {
  bool loaded = false;
  QObject::connect(&workspace, &model::Workspace::demoLoaded, &workspace, [&loaded] { loaded = true; });
  const auto before = workspace.layers().layers().size();
  workspace.loadDemo(analysis);
  while (!loaded) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  std::vector<model::LayerId> demo;
  for (std::size_t i = before; i < workspace.layers().layers().size(); ++i)
    demo.push_back(workspace.layers().layers()[i].id);
  for (const model::LayerId id : demo) workspace.layers().setVisible(id, false);
  const auto start = [&workspace] {
    const model::LayerStack::BatchUpdate together(workspace.layers());
    while (!workspace.runs().runs().empty())
      for (const model::LayerId id : std::vector(workspace.runs().runs().front()->layers))
        workspace.layers().remove(id);
    if (!workspace.run(model::RunChoice::cpu))
      std::fprintf(stderr, "the analysis cannot be run\n"), std::exit(1);
  };
  QObject::connect(&workspace.runs(), &model::RunController::idle, &workspace, start, Qt::QueuedConnection);
  start();
}

}  // namespace

int main(int count, char** arguments) {
  bench::useFormatOfVtk();
  QApplication program(count, arguments);
  QOpenGLContext().create();  // as the program does before it shows its window
  QStringList files = program.arguments().mid(1);
  QString beside;
  if (files.value(0) == QStringLiteral("--while")) beside = files.value(1), files = files.mid(2);
  QSize size(1600, 1000);
  QString layout = QStringLiteral("grid");
  if (!files.isEmpty() && !QFile::exists(files.front())) {
    const QStringList sides = files.takeFirst().split(QLatin1Char('x'));
    size = QSize(sides.value(0).toInt(), sides.value(1).toInt());
    if (!files.isEmpty() && !QFile::exists(files.front())) layout = files.takeFirst();
  }
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("latency.ini")), QSettings::IniFormat);
  const std::vector<sulcus::Analysis> none, &all = sulcus::app::analyses::table();
  model::Workspace workspace(
      beside.isEmpty() ? none : all, [] { return sulcus::DeviceReport{}; }, settings);
  widgets::MainWindow window(workspace, settings);
  window.resize(size);
  window.show();
  settle(workspace.view());  // the window itself has been drawn
  auto opening = std::make_unique<TurnMeter>();
  window.openFiles(files);
  while (workspace.files().pending() > 0) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
  model::ViewState& view = workspace.view();
  window.trigger(QStringLiteral("view.") + layout);
  if (!beside.isEmpty()) runAgainAndAgain(workspace, beside);
  settle(view);
  const double longestOpening = opening->longest();
  opening.reset();
  const TurnMeter working;
  const sulcus::Vec3<double> start = view.crosshair();
  PaintCounter counter;
  for (auto* shown : window.views().shownViews()) shown->focusProxy()->installEventFilter(&counter);
  bench::Steps moves, wheels, turns;
  int ended = 0;
  QObject::connect(&workspace.runs(), &model::RunController::finished, &workspace, [&ended] { ++ended; });
  for (int i = 0; i < kMoves; ++i) {
    while (!beside.isEmpty() &&
           workspace.jobs().stateOf(workspace.jobs().idAt(0)) != sulcus::JobState::running)
      QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    moves.take([&] {
      view.setCrosshair(start + sulcus::Vec3<double>{double(i % 7), double(i % 5) - 2, double(i % 11) - 5});
      settle(view);
    });
  }
  // A wheel that turns faster than the views can follow; each step is counted when it is seen.
  QWidget* under = window.views().shownViews().front()->focusProxy();
  PaintCounter steps;
  under->installEventFilter(&steps);
  for (int i = 0; i < kMoves; ++i)
    wheels.take([&] {
      const QPointF at(50, 50);
      QApplication::postEvent(
          under, new QWheelEvent(at, under->mapToGlobal(at), {}, {0, i < kMoves / 2 ? 120 : -120},
                                 Qt::NoButton, {}, Qt::NoScrollPhase, false));
      QApplication::processEvents();
    });
  // The left button turns the 3D view.
  for (QWidget* shown : window.views().shownViews()) {
    if (!qobject_cast<widgets::View3d*>(shown)) continue;
    QWidget* const canvas = shown->focusProxy();
    QPointF at = canvas->rect().center();
    bench::send(canvas, QEvent::MouseButtonPress, at);
    for (int i = 0; i < kMoves; ++i)
      turns.take([&] {
        at += QPointF(5, 0);
        bench::send(canvas, QEvent::MouseMove, at);
        settle(view);
      });
  }
  std::printf(
      "| %d × %d, %s, %d layers | crosshair to picture %.0f ms (work %.0f ms) | wheel step %.0f ms "
      "(work %.0f ms), %d of %d seen |",
      size.width(), size.height(), qPrintable(layout), int(workspace.layers().layers().size()),
      median(moves.time), median(moves.work), median(wheels.time), median(wheels.work), steps.paints, kMoves);
  if (!turns.time.empty())
    std::printf(" 3D turned to picture %.0f ms (work %.0f ms) |", median(turns.time), median(turns.work));
  if (!beside.isEmpty()) std::printf(" while %s ran, %d times to its end |", qPrintable(beside), ended);
  std::printf(" longest turn %.0f ms while opening, %.0f ms then |\n", longestOpening, working.longest());
  return 0;
}
