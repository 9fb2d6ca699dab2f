#include "app/display_check.h"

#include "core/base/error.h"
#include "core/base/sentence.h"

#include <QGuiApplication>
#include <QOpenGLContext>
#include <QStringList>
#include <QSurfaceFormat>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::app {

void disableScaling() {
  qputenv("QT_ENABLE_HIGHDPI_SCALING", "0");
  for (const char* name : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS"}) qunsetenv(name);
}

void requestOpenGl() {
  QSurfaceFormat format = QSurfaceFormat::defaultFormat();
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  QSurfaceFormat::setDefaultFormat(format);
}

void endWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type != QtFatalMsg) {
    const bool leadsToTheFatalOne = std::string_view(context.category).starts_with("qt.qpa");
    if (!leadsToTheFatalOne) std::fprintf(stderr, "%s\n", qPrintable(text));
    return;
  }
  std::vector<std::string> found;
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    const char* value = std::getenv(name);
    found.push_back(name + (value ? " is '" + std::string(value) + "'" : " is not set"));
  }
  const Error fault(
      "There is no display to open the window on", joined(found, ", "),
      "start it on a desktop, or use sulcus-cli or app/run --tour, which need none; pictures and "
      "pages need Xvfb (Debian: apt install xvfb)",
      ErrorKind::unavailable);
  std::fprintf(stderr, "sulcus: %s\n", fault.what());
  std::_Exit(int(fault.kind()));
}

void requireOpenGl() {
  QOpenGLContext context;
  const QPair<int, int> wanted = QSurfaceFormat::defaultFormat().version();
  // These of Qt's platforms can create a context, but provide none for widgets.
  const bool drawn =
      !QStringList{"offscreen", "minimal", "linuxfb", "vnc"}.contains(QGuiApplication::platformName());
  if (drawn && context.create() && context.format().version() >= wanted) return;
  throw Error("The display has no OpenGL 3.2", "the views are drawn by it",
              "start it on a desktop with a graphics driver, or use sulcus-cli or app/run --tour",
              ErrorKind::unavailable);
}

}  // namespace sulcus::app
