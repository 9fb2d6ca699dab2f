// How long a user waits for lines that grow from a dragged sphere: from a mouse movement to its picture, and
// how many lines the picture shows.
//   sulcus-window-growth FOLDER fod|peaks FIELD [IMAGE…]
// Saves pictures of the window in FOLDER.
#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "tests/bench/window/measured_hand.h"
#include "ui/model/workspace.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QOpenGLContext>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>

namespace {

using namespace sulcus::ui;
using namespace sulcus::bench;

constexpr int kSteps = 40;

}  // namespace

int main(int count, char** arguments) {
  useFormatOfVtk();
  QApplication program(count, arguments);
  if (count < 4) return std::puts("sulcus-window-growth FOLDER fod|peaks FIELD [IMAGE…]"), 2;
  QOpenGLContext().create();  // as the program does before it shows its window
  const QString folder = program.arguments().at(1);
  QDir().mkpath(folder);
  const QTemporaryDir own;
  QSettings settings(own.filePath(QStringLiteral("growth.ini")), QSettings::IniFormat);
  model::Workspace workspace(sulcus::app::analyses::table(), sulcus::app::analyses::deviceReport, settings);
  bool known = false;
  QObject::connect(&workspace.processors(), &model::Processors::known, &workspace,
                   [&known] { known = true; });
  widgets::MainWindow window(workspace, settings);
  window.resize(1440, 900);
  window.show();
  model::ViewState& view = workspace.view();
  const auto picture = [&](const char* name) {
    window.windowPicture().save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
  };
  settle(view);
  const auto open = [&](const QStringList& files) {
    window.openFiles(files);
    waitFor([&] { return workspace.files().pending() == 0; });
    settle(view);
  };
  open(program.arguments().mid(4));
  open({program.arguments().at(3)});
  waitFor([&] { return known; });
  model::AnalysisPresenter* const tracts = workspace.presenters().named(QStringLiteral("tracts"));
  workspace.presenters().choose(tracts);
  tracts->inputs().choose(arguments[2], workspace.layers().layers().back().id);
  if (count > 4) workspace.layers().setVisible(workspace.layers().layers().back().id, false);
  settle(view);

  model::GrowingLines& growing = workspace.editing().growing;
  const Clock first;
  if (!window.trigger(QStringLiteral("bundles.grow"))) return std::puts("nothing can grow"), 3;
  waitFor([&] { return growing.facts().lines > 0 || !growing.facts().fault.isEmpty(); });
  settle(view);
  first.tell("first lines");
  waitFor([&] { return growing.facts().followed == growing.facts().seeds; });
  settle(view);
  first.tell("all seeds");
  std::printf("%zu lines of %lld seeds %s\n", growing.facts().lines,
              static_cast<long long>(growing.facts().seeds), qPrintable(growing.facts().fault));
  picture("all");
  for (const bool inSlice : {true, false}) {
    QWidget* const under = inSlice ? window.views().slice(model::Plane::axial)->focusProxy()
                                   : window.views().scene()->focusProxy();
    sulcus::TractRegion middle = growing.regions().front();
    middle.center = view.crosshair();
    int pictures = 0;
    const auto until =
        QObject::connect(&growing, &model::GrowingLines::grown, &growing, [&pictures] { ++pictures; });
    growing.changeRegion(0, middle, true);
    waitFor([&] { return pictures > 0 && growing.facts().followed == growing.facts().seeds; });
    settle(view);
    QPointF at = under->rect().center();
    send(under, QEvent::MouseButtonPress, at);
    Steps dragged;
    std::size_t lines = 0;
    for (int i = 0; i < kSteps; ++i)
      dragged.take([&] {
        pictures = 0;
        at += QPointF(i < kSteps / 2 ? 3 : -3, i % 2 ? 2 : -1);
        const sulcus::TractRegion before = growing.regions().front();
        send(under, QEvent::MouseMove, at);
        if (growing.regions().front() == before)
          std::printf("the sphere is not under the pointer\n");
        else
          waitFor([&] { return pictures > 0; });
        settle(view);
        lines += growing.facts().lines;
      });
    picture(inSlice ? "dragged-in-slice" : "dragged-in-3d");
    send(under, QEvent::MouseButtonRelease, at);
    QObject::disconnect(until);
    dragged.tell(inSlice ? "dragged in a slice to picture" : "dragged in 3D to picture");
    std::printf("%.0f lines in a picture, the last grown in %.0f ms\n", double(lines) / kSteps,
                1e3 * growing.facts().seconds);
  }
  return 0;
}
