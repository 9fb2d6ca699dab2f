#include "app/tour/picture.h"

#include "core/base/error.h"
#include "core/io/files.h"
#include "ui/widgets/export/html_exporter.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QBuffer>
#include <QDockWidget>
#include <QEventLoop>
#include <QFileInfo>
#include <QMenuBar>
#include <QStatusBar>

namespace sulcus::app::tour {
namespace {

constexpr int kLongestSide = 16384;

/// Gives the window the size at which its visible views have `wanted` pixels.
void fit(ui::widgets::MainWindow& window, const QSize& wanted) {
  if (wanted.isEmpty()) return;
  for (QDockWidget* dock : window.findChildren<QDockWidget*>()) dock->hide();
  window.menuBar()->hide();
  window.statusBar()->hide();
  for (int round = 0; round < 20; ++round) {  // the display has a say in it, and answers late
    QApplication::sync();
    const QSize now = window.views().viewsSize();
    if (now == wanted) return;
    window.resize(window.size() + wanted - now);
  }
  throw Error("The views cannot have that size", "the window has no room for it", "give a larger --size",
              ErrorKind::usage);
}

/// Waits until nothing is read or written.
void finishFiles(ui::widgets::MainWindow& window) {
  ui::jobs::FileJobs& files = window.workspace().files();
  QEventLoop loop;
  QObject::connect(&files, &ui::jobs::FileJobs::idle, &loop, &QEventLoop::quit);
  if (files.pending() > 0) loop.exec();
  QApplication::processEvents();  // lets the views process what has arrived
}

void write(const QImage& picture, const QString& file, bool overwrite) {
  const QString ending = QFileInfo(file).suffix().toLower();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!picture.save(&buffer, ending.startsWith(QStringLiteral("tif")) ? "TIFF" : "PNG"))
    throw Error("The picture cannot be encoded", "no writer for ." + ending.toStdString() + " is installed",
                "write a .png");
  io::writeFile(file.toStdString(), bytes.toStdString(), overwrite);
}

}  // namespace

QSize sizeFrom(const QString& text) {
  const QStringList sides = text.split(QLatin1Char('x'));
  if (sides.size() != 2) return {};
  const QSize size(sides[0].toInt(), sides[1].toInt());
  return size.isEmpty() || size.width() > kLongestSide || size.height() > kLongestSide ? QSize() : size;
}

QStringList takePicture(ui::widgets::MainWindow& window, const ScreenshotOptions& order) {
  for (const QString& file : {order.picture, order.session, order.page})
    if (!file.isEmpty()) io::requirePlace(file.toStdString(), order.overwrite);
  ui::model::Workspace& workspace = window.workspace();
  QStringList faults;
  QObject context;
  QObject::connect(&workspace, &ui::model::Workspace::failed, &context,
                   [&](const QString&, const QString& sentence) { faults << sentence; });
  QObject::connect(&workspace.session(), &ui::model::Session::missing, &context,
                   [&](const QString& file, const QStringList& files) {
                     faults << QStringLiteral("Files of %1 are not there: %2.")
                                   .arg(file, files.join(QStringLiteral(", ")));
                   });
  QObject::connect(&workspace.session(), &ui::model::Session::opened, &context,
                   [](const QString&, const QStringList& notes) {
                     for (const QString& note : notes) std::fprintf(stderr, "sulcus: %s\n", qPrintable(note));
                   });
  QObject::connect(&workspace.files(), &ui::jobs::FileJobs::seriesFound, &context,
                   [&](const QString& folder) {
                     faults << QStringLiteral(
                                   "'%1' holds several series (which is meant has to be chosen): "
                                   "name one with sulcus-cli convert, or open it in the window")
                                   .arg(QFileInfo(folder).fileName());
                   });
  window.setAttribute(Qt::WA_DontShowOnScreen);
  window.show();
  window.openFiles(order.files);
  finishFiles(window);
  if (!faults.isEmpty()) return faults;
  if (workspace.layers().empty())
    throw Error(order.picture.isEmpty() ? "There is nothing to save" : "There is nothing to draw",
                "no scan and no session was given", "name a scan or a session", ErrorKind::usage);
  if (!order.layout.isEmpty()) {
    QString name = order.layout;
    if (name == QStringLiteral("3d")) name = QStringLiteral("scene");
    if (name == QStringLiteral("four")) name = QStringLiteral("grid");
    if (!window.trigger(QStringLiteral("view.") + name))
      throw Error(
          "There is no layout '" + order.layout.toStdString() + "'",
          "there are four, beside, lightbox, axial, coronal, sagittal, 3d, and compare where two runs were "
          "compared",
          "choose one of them", ErrorKind::usage);
  }
  fit(window, order.size);
  QApplication::processEvents();
  window.views().finishDrawing();
  if (!order.picture.isEmpty()) write(window.views().screenshot(1), order.picture, order.overwrite);
  if (!order.session.isEmpty()) workspace.session().save(order.session);
  if (!order.page.isEmpty()) {
    QEventLoop loop;
    QObject::connect(&window.pages(), &ui::widgets::HtmlExporter::ended, &loop, &QEventLoop::quit);
    window.pages().make(order.page);
    loop.exec();
  }
  finishFiles(window);
  return faults;
}

}  // namespace sulcus::app::tour
