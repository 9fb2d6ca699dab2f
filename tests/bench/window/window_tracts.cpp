// How long a user waits for tracts: from opening them to the first picture and to the complete one, and from
// dragging a sphere to the lines that follow it.
//   sulcus-window-tracts FOLDER TRACTS [IMAGE…]
// Saves pictures of the window in FOLDER.
#include "tests/bench/window/measured_hand.h"
#include "tests/ui/turn_meter.h"
#include "ui/model/workspace.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

namespace {

using namespace sulcus::ui;
using namespace sulcus::bench;
using sulcus::TractRegion;

constexpr int kSteps = 40;

/// From letting go of a region until all views are at rest with its lines. A picture is drawn in a turn of
/// the event loop of its own; the work of all threads in one turn, shared out over two, is how long it
/// blocks.
void tellRelease(model::ViewState& view, const char* what, const std::function<void()>& release,
                 const std::function<bool()>& measured) {
  constexpr double kNothingMore = 3;  // s; views are at rest after less
  auto& turns = widgets::RenderScheduler::of(view);
  QElapsedTimer timer;
  timer.start();
  const auto now = [&] { return 1e-9 * double(timer.nsecsElapsed()); };
  const double before = workedSeconds();
  double last = 0, most = 0, mostTime = 0;
  release();
  for (bool isMeasured = false; now() - last < kNothingMore;) {
    const double begin = now(), worked = workedSeconds();
    QApplication::processEvents(QEventLoop::AllEvents);
    if (!isMeasured && measured()) {
      std::printf("%s: lines and their measures after %.2f s (work %.2f s)\n", what, now(),
                  workedSeconds() - before);
      isMeasured = true;
    }
    if (isMeasured) {  // what works beside the window no longer counts
      most = std::max(most, workedSeconds() - worked);
      mostTime = std::max(mostTime, now() - begin);
    }
    if (!isMeasured || !turns.idle() || turns.sinceDrawn() < 50) last = now();
  }
  std::printf("%s: at rest after %.2f s (work %.2f s), longest turn then %.2f s (work %.2f s)\n", what, last,
              workedSeconds() - before, mostTime, most);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  useFormatOfVtk();
  QApplication program(count, arguments);
  if (count < 3) return std::puts("sulcus-window-tracts FOLDER TRACTS [IMAGE…]"), 2;
  QOpenGLContext().create();  // as the program does before it shows its window
  const QString folder = program.arguments().at(1);
  QDir().mkpath(folder);
  const QTemporaryDir own;
  QSettings settings(own.filePath(QStringLiteral("tracts.ini")), QSettings::IniFormat);
  const std::vector<sulcus::Analysis> none;
  model::Workspace workspace(
      none, [] { return sulcus::DeviceReport{}; }, settings);
  widgets::MainWindow window(workspace, settings);
  window.resize(1440, 900);
  window.show();
  model::ViewState& view = workspace.view();
  const auto picture = [&](const char* name) {
    window.windowPicture().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  };
  settle(view);
  window.openFiles(program.arguments().mid(3));
  waitFor([&] { return workspace.files().pending() == 0; });
  settle(view);
  const auto images = workspace.layers().layers().size();

  model::Dissection& dissection = workspace.editing().dissection;
  auto meter = std::make_unique<TurnMeter>();
  Clock clock;
  window.openFiles({program.arguments().at(2)});
  waitFor([&] { return workspace.layers().layers().size() > images; });
  settle(view);
  clock.tell("open to first picture");
  picture("first");
  waitFor([&] { return workspace.files().pending() == 0; });
  settle(view);
  clock.tell("open to the whole");
  waitFor([&] { return dissection.isIndexed(); });
  settle(view);
  clock.tell("open to the index");
  std::printf("longest turn of the window's thread meanwhile: %.0f ms\n", meter->longest());
  meter.reset();
  picture("whole");

  Steps turned;
  QWidget* const scene = window.views().scene()->focusProxy();
  QPointF at = scene->rect().center();
  send(scene, QEvent::MouseButtonPress, at);
  for (int i = 0; i < kSteps; ++i)
    turned.take([&] {
      at += QPointF(4, 0);
      send(scene, QEvent::MouseMove, at);
      settle(view);
    });
  send(scene, QEvent::MouseButtonRelease, at);
  turned.tell("3D turned to picture");

  dissection.addRegion(TractRegion::Shape::sphere, TractRegion::Role::include, view.crosshair(), 10);
  waitFor([&] { return dissection.facts(0).has_value(); });
  settle(view);
  window.trigger(QStringLiteral("bundles.show"));
  settle(view);
  picture("sphere");
  for (const bool inSlice : {true, false}) {
    QWidget* const under = inSlice ? window.views().slice(model::Plane::axial)->focusProxy() : scene;
    const auto region = [&] { return dissection.bundles()[0].regions[0]; };
    TractRegion middle = region();
    middle.center = view.crosshair();
    dissection.changeRegion(0, middle, true);
    waitFor([&] { return dissection.facts(0).has_value(); });
    settle(view);
    at = under->rect().center();
    bool followed = false;
    const auto until = QObject::connect(&dissection, &model::Dissection::followed, &dissection,
                                        [&followed] { followed = true; });
    send(under, QEvent::MouseButtonPress, at);
    if (dissection.region() != 0) std::printf("the sphere is not under the pointer\n");
    Steps dragged;
    for (int i = 0; i < kSteps; ++i)
      dragged.take([&] {
        followed = false;
        at += QPointF(i < kSteps / 2 ? 3 : -3, i % 2 ? 2 : -1);
        send(under, QEvent::MouseMove, at);
        waitFor([&] { return followed; });
        settle(view);
      });
    picture(inSlice ? "dragged-in-slice" : "dragged-in-3d");
    dragged.tell(inSlice ? "sphere dragged in a slice to picture" : "sphere dragged in 3D to picture");
    tellRelease(
        view, inSlice ? "released in a slice" : "released in 3D",
        [&] {
          followed = false;
          send(under, QEvent::MouseButtonRelease, at);
        },
        [&] { return followed && dissection.facts(0).has_value(); });
    QObject::disconnect(until);
    std::printf("lines of the sphere: %zu\n", dissection.bundles()[0].lines.size());
    picture(inSlice ? "released-in-slice" : "released-in-3d");
  }
  waitFor([&] { return dissection.facts(0).has_value(); });
  dissection.addRegion(TractRegion::Shape::box, TractRegion::Role::exclude, view.crosshair(), 6);
  waitFor([&] { return dissection.facts(0).has_value(); });
  dissection.addBundle();
  dissection.addRegion(TractRegion::Shape::sphere, TractRegion::Role::end,
                       view.crosshair() + sulcus::Vec3<double>{20, 20, 10}, 12);
  waitFor([&] { return dissection.facts(1).has_value(); });
  workspace.layers().setVolume(dissection.target(), 2);
  settle(view);
  picture("two-bundles");
  window.trigger(QStringLiteral("view.scene"));
  window.views().scene()->lookFrom('L');
  settle(view);
  window.views().scene()->screenshot(1).save(folder + QStringLiteral("/two-bundles-3d.png"));
  std::printf("%s\n", qPrintable(dissection.commandLine()));
  return 0;
}
