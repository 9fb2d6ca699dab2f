// What the window opens and writes.
#include "core/base/error.h"
#include "core/io/files.h"
#include "ui/jobs/picture_note.h"
#include "ui/model/layers/chart_text.h"
#include "ui/model/session/file_names.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/chart_view.h"
#include "ui/widgets/window/dialogs.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/start_page.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStandardPaths>
#include <memory>

namespace sulcus::ui::widgets {
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (localFiles(*event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  start_->setDragged(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
  QMainWindow::dragLeaveEvent(event);
  start_->setDragged(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
  start_->setDragged(false);
  const QStringList paths = localFiles(*event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  openFiles(paths);
}

void MainWindow::rememberFolder(const QString& key, const QString& file) {
  const QString folder = QFileInfo(file).absolutePath();
  if (QFileInfo(folder).isDir()) settings_.setValue(key, folder);
}

QString MainWindow::folder(const QString& key) const {
  const QString results = QString::fromStdString(workspace_.preferences().results);
  if (key == QStringLiteral("saveFolder") && !results.isEmpty() && QFileInfo(results).isDir()) return results;
  for (const QString& name : {key, QStringLiteral("folder")})
    if (const QString last = settings_.value(name).toString(); !last.isEmpty() && QFileInfo(last).isDir())
      return last;
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void MainWindow::askSave(const QString& title, const QString& name, const QString& filter,
                         const std::function<void(const QString&)>& save) {
  const QString key = QStringLiteral("saveFolder");
  askSaveName(this, title, QDir(folder(key)).filePath(name), filter, [this, key, save](const QString& file) {
    rememberFolder(key, file);
    save(file);
  });
}

void MainWindow::chooseFiles(const QString& title, const TakeFiles& take) {
  auto* dialog = new QFileDialog(this, title, folder(QStringLiteral("folder")));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dressFileDialog(*dialog);
  dialog->setNameFilters(model::openFilters());
  connect(dialog, &QFileDialog::filesSelected, this, [this, take](const QStringList& paths) {
    if (paths.isEmpty()) return;
    rememberFolder(QStringLiteral("folder"), paths.front());
    take(paths);
  });
  dialog->open();
}

void MainWindow::chooseFile(const QString& title, const QStringList& filters,
                            const std::function<void(const QString&)>& take, const QString& key) {
  auto* dialog = new QFileDialog(this, title, folder(key));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dressFileDialog(*dialog);
  dialog->setNameFilters(filters);
  connect(dialog, &QFileDialog::fileSelected, this, [this, take, key](const QString& file) {
    rememberFolder(key, file);
    take(file);
  });
  dialog->open();
}

void MainWindow::chooseFolder(const QString& title, const QString& key,
                              const std::function<void(const QString&)>& take,
                              const std::function<void()>& cancelled) {
  auto* dialog = new QFileDialog(this, title, folder(key));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dressFileDialog(*dialog);
  connect(dialog, &QFileDialog::fileSelected, this, [this, key, take](const QString& path) {
    rememberFolder(key, path);
    take(path);
  });
  if (cancelled) connect(dialog, &QDialog::rejected, this, cancelled);
  dialog->open();
}

void MainWindow::openParameters() {
  model::AnalysisPresenter* const presenter = workspace_.current();
  chooseFile(
      tr("Parameters of %1").arg(model::words(presenter->analysis().title)),
      {tr("Parameters (*.json)"), tr("All files (*)")},
      [this, presenter](const QString& path) {
        const auto read = std::make_shared<OptionValues>();
        const QString title = tr("Open %1").arg(QFileInfo(path).fileName());
        files_.work(
            title, [read, file = path.toStdString()](const Progress&) { *read = io::openOptions(file); },
            [this, presenter, read, title] {
              try {
                presenter->takeParameters(*read);
              } catch (const Error& fault) {
                showError(this, title, model::localizeForWindow(fault.what()));
              }
            });
      },
      QStringLiteral("saveFolder"));
}

void MainWindow::saveCurrentRun() {
  const model::RunPtr run = workspace_.currentRun();
  const QString name =
      model::fileStem(QStringLiteral("%1 %2").arg(QString::fromStdString(run->analysis->name), run->title));
  askSave(tr("Save run as a folder"), name, {},
          [this, run](const QString& folder) { files_.saveRun(run, folder); });
}

void MainWindow::saveCurrentLayer() {
  const model::LayerState* state = layers_.find(layers_.current());
  askSave(tr("Save %1").arg(state->name), model::saveName(*state->layer, state->name),
          model::saveFilters(*state->layer),
          [this, id = state->id](const QString& file) { files_.save(id, file); });
}

void MainWindow::savePlot(const QString& format) {
  const model::PlotsModel& plots = workspace_.plots();
  const QString name = model::fileStem(plots.current()) + QLatin1Char('.') + format;
  const std::string note = jobs::plotNote(plots.current().toStdString(), plots.runs());
  if (format == QStringLiteral("png")) return savePicture(name, plotsPanel_->chart()->printed(2), note);
  try {
    const QByteArray bytes = format == QStringLiteral("csv")   ? model::chartCsv(plots.charts()).toUtf8()
                             : format == QStringLiteral("svg") ? plotsPanel_->chart()->svg()
                                                               : plotsPanel_->chart()->pdf();
    askSave(tr("Save plot"), name, QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format),
            [this, bytes, note](const QString& file) {
              files_.saveBytes([bytes] { return bytes.toStdString(); }, file, note);
            });
  } catch (const Error& fault) {
    showError(this, tr("Save plot"), model::localizeForWindow(fault.what()));
  }
}

}  // namespace sulcus::ui::widgets
