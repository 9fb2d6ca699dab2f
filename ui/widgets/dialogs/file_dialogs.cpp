#include "ui/widgets/dialogs/file_dialogs.h"

#include "ui/model/session/file_names.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace sulcus::ui::widgets {

FileDialogs::FileDialogs(QWidget& window, const model::PreferenceStore& preferences, QSettings& settings)
    : QObject(&window), window_(window), preferences_(preferences), settings_(settings) {}

void FileDialogs::rememberFolder(const QString& key, const QString& file) {
  const QString folder = QFileInfo(file).absolutePath();
  if (QFileInfo(folder).isDir()) settings_.setValue(key, folder);
}

QString FileDialogs::folder(const QString& key) const {
  const QString results = QString::fromStdString(preferences_.values().results);
  if (key == QStringLiteral("saveFolder") && !results.isEmpty() && QFileInfo(results).isDir()) return results;
  for (const QString& name : {key, QStringLiteral("folder")})
    if (const QString last = settings_.value(name).toString(); !last.isEmpty() && QFileInfo(last).isDir())
      return last;
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void FileDialogs::askSave(const QString& title, const QString& name, const QString& filter,
                          const Take& save) {
  const QString key = QStringLiteral("saveFolder");
  askSaveName(&window_, title, QDir(folder(key)).filePath(name), filter,
              [this, key, save](const QString& file) {
                rememberFolder(key, file);
                save(file);
              });
}

void FileDialogs::chooseFiles(const QString& title, const TakeAll& take) {
  choose(title, QFileDialog::ExistingFiles, model::openFilters(), QStringLiteral("folder"), take, {});
}

void FileDialogs::chooseFile(const QString& title, const QStringList& filters, const Take& take,
                             const QString& key) {
  choose(title, QFileDialog::ExistingFile, filters, key, [take](const auto& all) { take(all.front()); }, {});
}

void FileDialogs::chooseFolder(const QString& title, const QString& key, const Take& take,
                               const std::function<void()>& cancelled) {
  choose(
      title, QFileDialog::Directory, {}, key, [take](const auto& all) { take(all.front()); }, cancelled);
}

void FileDialogs::choose(const QString& title, QFileDialog::FileMode mode, const QStringList& filters,
                         const QString& key, const TakeAll& take, const std::function<void()>& cancelled) {
  auto* dialog = deletedOnClose(new QFileDialog(&window_, title, folder(key)));
  dialog->setFileMode(mode);
  dressFileDialog(*dialog);
  if (mode != QFileDialog::Directory) dialog->setNameFilters(filters);
  connect(dialog, &QFileDialog::filesSelected, this, [this, take, key](const QStringList& paths) {
    if (paths.isEmpty()) return;
    rememberFolder(key, paths.front());
    take(paths);
  });
  if (cancelled) connect(dialog, &QDialog::rejected, this, cancelled);
  dialog->open();
}

}  // namespace sulcus::ui::widgets
