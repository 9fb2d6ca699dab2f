// Pictures and movies of the window.
#include "ui/jobs/picture_note.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/export/html_exporter.h"
#include "ui/widgets/export/movie_dialog.h"
#include "ui/widgets/export/picture_dialog.h"
#include "ui/widgets/export/view_picture.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QPainter>

namespace sulcus::ui::widgets {

void MainWindow::addPictureCommands() {
  movies_ = new MovieExporter(workspace_, *views_, this);
  connect(movies_, &MovieExporter::saved, &files_, &jobs::FileJobs::saved);
  connect(movies_, &MovieExporter::failed, this,
          [this](const QString& title, const QString& sentence) { showError(this, title, sentence); });
  pages_ = new HtmlExporter(workspace_, *views_, this);
  const auto any = [this] { return !layers_.empty(); };
  commands_.add({QStringLiteral("file.screenshot"),
                 tr("S&creenshot of the views…"),
                 QStringLiteral("Ctrl+Shift+P"),
                 [this] {
                   savePicture(QStringLiteral("views.png"), views_->screenshot(1),
                               jobs::pictureNote(workspace_.state()));
                 },
                 {},
                 any});
  commands_.add({QStringLiteral("file.copyPicture"),
                 tr("Copy picture of the views"),
                 QStringLiteral("Ctrl+Shift+C"),
                 [this] { QApplication::clipboard()->setImage(views_->screenshot(1)); },
                 {},
                 any});
  commands_.add({QStringLiteral("file.picture"),
                 tr("Picture, with size and &background…"),
                 {},
                 [this] { choosePicture(); },
                 {},
                 any});
  commands_.add({QStringLiteral("file.page"),
                 tr("Save pa&ge to share…"),
                 {},
                 [this] {
                   const QString session = QFileInfo(session_.file()).completeBaseName();
                   askSave(tr("Save page"),
                           (session.isEmpty() ? QStringLiteral("sulcus") : session) + ".html",
                           tr("Page (*.html)"), [this](const QString& file) { pages_->make(file); });
                 },
                 {},
                 [this] { return !layers_.empty() && !pages_->busy(); }});
  commands_.add({QStringLiteral("file.movie"),
                 tr("&Movie…"),
                 {},
                 [this] { chooseMovie(); },
                 {},
                 [this] { return !layers_.empty() && !movies_->busy(); }});
}

void MainWindow::choosePicture() {
  const std::vector<SceneView*> views = views_->shownViews();
  QStringList names;
  for (const QWidget* view : views)
    names << (view->accessibleName().isEmpty() ? tr("View %1").arg(names.size() + 1)
                                               : view->accessibleName());
  auto* dialog = new PictureDialog(names, views_->viewsSize(),
                                   (QSizeF(size()) * devicePixelRatioF()).toSize(), settings_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const auto taken = [this, dialog] {
    if (dialog->what() == -2) return windowPicture(dialog->style().scale);
    views_->finishDrawing();
    std::vector<SceneView*> shown = views_->shownViews();
    if (const auto one = std::size_t(dialog->what()); dialog->what() >= 0 && one < shown.size())
      shown = {shown[one]};
    const BarsInPicture bars(*views_, shown.front());
    return pictureOf(shown, view_, dialog->style());
  };
  connect(dialog, &PictureDialog::copyRequested, this,
          [taken] { QApplication::clipboard()->setImage(taken()); });
  connect(dialog, &PictureDialog::saveRequested, this, [this, dialog, taken] {
    savePicture(dialog->what() == -2 ? QStringLiteral("window.png") : QStringLiteral("views.png"), taken(),
                jobs::pictureNote(workspace_.state()));
  });
  dialog->open();
}

void MainWindow::chooseMovie() {
  auto* dialog = new MovieDialog(*movies_, views_->viewsSize(), settings_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const auto make = [this, order = dialog->order()](const QString& file) mutable {
      order.file = file;
      if (movies_->whyNot(order.kind).isEmpty()) movies_->make(order);
    };
    if (dialog->asVideo())
      askSave(tr("Save movie"), QStringLiteral("movie.mp4"), tr("MP4 (*.mp4)"), make);
    else
      askSave(tr("Save frames in a new folder"), QStringLiteral("movie_frames"), {}, make);
  });
  dialog->open();
}

QImage MainWindow::windowPicture(int scale) {
  views_->finishDrawing();
  if (scale == 1) return grab().toImage();
  const double ratio = devicePixelRatioF() * scale;
  QImage picture((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(palette().color(QPalette::Window));
  render(&picture);
  // What the views show is a picture already: it is drawn anew, not enlarged.
  if (!views_->isVisible()) return picture;
  QPainter painter(&picture);
  for (SceneView* shown : views_->shownViews()) {
    const QImage part = pictureOf({shown}, view_, {scale});
    painter.drawImage(QRect(shown->mapTo(this, QPoint()), shown->size()), part);
  }
  return picture;
}

void MainWindow::savePicture(const QString& name, const QImage& picture, const std::string& note) {
  askSave(tr("Save picture"), name, tr("PNG (*.png);;TIFF (*.tif *.tiff)"),
          [this, picture, note](const QString& file) {
            const bool tiff = file.endsWith(QStringLiteral(".tif")) || file.endsWith(QStringLiteral(".tiff"));
            files_.saveBytes([picture, tiff] { return pictureBytes(picture, tiff ? "TIFF" : "PNG"); }, file,
                             note);
          });
}

}  // namespace sulcus::ui::widgets
