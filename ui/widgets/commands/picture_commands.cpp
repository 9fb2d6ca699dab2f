#include "ui/jobs/picture_note.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/export/html_exporter.h"
#include "ui/widgets/export/movie_dialog.h"
#include "ui/widgets/export/picture_dialog.h"
#include "ui/widgets/export/view_picture.h"
#include "ui/widgets/views/view_area.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QPainter>

namespace sulcus::ui::widgets {

namespace {

void choosePicture(WindowParts& window) {
  const std::vector<SceneView*> views = window.views->shownViews();
  QStringList names;
  for (const QWidget* view : views)
    names << (view->accessibleName().isEmpty() ? QObject::tr("View %1").arg(names.size() + 1)
                                               : view->accessibleName());
  auto* dialog = deletedOnClose(
      new PictureDialog(names, window.views->viewsSize(),
                        (QSizeF(window.widget.size()) * window.widget.devicePixelRatioF()).toSize(),
                        window.settings, &window.widget));
  const auto taken = [&window, dialog] {
    if (dialog->what() == -2) return windowPicture(window, dialog->style().scale);
    window.views->finishDrawing();
    std::vector<SceneView*> shown = window.views->shownViews();
    if (const auto one = std::size_t(dialog->what()); dialog->what() >= 0 && one < shown.size())
      shown = {shown[one]};
    const BarsInPicture bars(*window.views, shown.front());
    return pictureOf(shown, window.view, dialog->style());
  };
  QObject::connect(dialog, &PictureDialog::copyRequested, &window.widget,
                   [taken] { QApplication::clipboard()->setImage(taken()); });
  QObject::connect(dialog, &PictureDialog::saveRequested, &window.widget, [&window, dialog, taken] {
    savePicture(window, dialog->what() == -2 ? QStringLiteral("window.png") : QStringLiteral("views.png"),
                taken(), jobs::pictureNote(window.workspace.snapshots().take()));
  });
  dialog->open();
}

void chooseMovie(WindowParts& window) {
  auto* dialog = deletedOnClose(
      new MovieDialog(*window.movies, window.views->viewsSize(), window.settings, &window.widget));
  QObject::connect(dialog, &QDialog::accepted, &window.widget, [&window, dialog] {
    const auto make = [&window, order = dialog->order()](const QString& file) mutable {
      order.file = file;
      if (window.movies->whyNot(order.kind).isEmpty()) window.movies->make(order);
    };
    if (dialog->asVideo())
      window.dialogs.askSave(QObject::tr("Save movie"), QStringLiteral("movie.mp4"),
                             QObject::tr("MP4 (*.mp4)"), make);
    else
      window.dialogs.askSave(QObject::tr("Save frames in a new folder"), QStringLiteral("movie_frames"), {},
                             make);
  });
  dialog->open();
}

}  // namespace

void addPictureCommands(WindowParts& window) {
  window.movies = new MovieExporter(window.workspace, *window.views, &window.widget);
  QObject::connect(window.movies, &MovieExporter::saved, &window.files, &jobs::FileJobs::saved);
  QObject::connect(window.movies, &MovieExporter::failed, &window.widget,
                   [&window](const QString& title, const QString& sentence) {
                     showError(&window.widget, title, sentence);
                   });
  window.pages = new HtmlExporter(window.workspace, *window.views, &window.widget);
  const auto any = [&window] { return !window.layers.empty(); };
  window.commands.add(
      "file.screenshot", QObject::tr("S&creenshot of the views…"), "Ctrl+Shift+P",
      [&window] {
        savePicture(window, QStringLiteral("views.png"), window.views->screenshotWithBars(1),
                    jobs::pictureNote(window.workspace.snapshots().take()));
      },
      any);
  window.commands.add(
      "file.copyPicture", QObject::tr("Copy picture of the views"), "Ctrl+Shift+C",
      [&window] { QApplication::clipboard()->setImage(window.views->screenshotWithBars(1)); }, any);
  window.commands.add(
      "file.picture", QObject::tr("Picture, with size and &background…"), "",
      [&window] { choosePicture(window); }, any);
  window.commands.add(
      "file.page", QObject::tr("Save pa&ge to share…"), "",
      [&window] {
        const QString session = QFileInfo(window.session.file()).completeBaseName();
        window.dialogs.askSave(
            QObject::tr("Save page"), (session.isEmpty() ? QStringLiteral("sulcus") : session) + ".html",
            QObject::tr("Page (*.html)"), [&window](const QString& file) { window.pages->make(file); });
      },
      [&window] { return !window.layers.empty() && !window.pages->busy(); });
  window.commands.add(
      "file.movie", QObject::tr("&Movie…"), "", [&window] { chooseMovie(window); },
      [&window] { return !window.layers.empty() && !window.movies->busy(); });
}

QImage windowPicture(WindowParts& window, int scale) {
  window.views->finishDrawing();
  if (scale == 1) return window.widget.grab().toImage();
  const double ratio = window.widget.devicePixelRatioF() * scale;
  QImage picture((QSizeF(window.widget.size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(window.widget.palette().color(QPalette::Window));
  window.widget.render(&picture);
  // The content of the views is already an image: it is redrawn, not enlarged.
  if (!window.views->isVisible()) return picture;
  QPainter painter(&picture);
  for (SceneView* shown : window.views->shownViews()) {
    const QImage part = pictureOf({shown}, window.view, {scale});
    painter.drawImage(QRect(shown->mapTo(&window.widget, QPoint()), shown->size()), part);
  }
  return picture;
}

void savePicture(WindowParts& window, const QString& name, const QImage& picture, const std::string& note) {
  window.dialogs.askSave(
      QObject::tr("Save picture"), name, QObject::tr("PNG (*.png);;TIFF (*.tif *.tiff)"),
      [&window, picture, note](const QString& file) {
        const bool tiff = file.endsWith(QStringLiteral(".tif")) || file.endsWith(QStringLiteral(".tiff"));
        window.files.saveBytes([picture, tiff] { return pictureBytes(picture, tiff ? "TIFF" : "PNG"); }, file,
                               note);
      });
}

}  // namespace sulcus::ui::widgets
