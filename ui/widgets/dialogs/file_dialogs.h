#pragma once

#include "ui/model/session/preferences.h"

#include <QFileDialog>
#include <QObject>
#include <functional>

class QSettings;
class QWidget;

namespace sulcus::ui::widgets {

/// Asks for files and folders, starting in the last one used. All functions return at once.
class FileDialogs : public QObject {
  Q_OBJECT
 public:
  using Take = std::function<void(const QString& path)>;
  using TakeAll = std::function<void(const QStringList& paths)>;

  /// All must outlive this.
  FileDialogs(QWidget& window, const model::PreferenceStore& preferences, QSettings& settings);

  void chooseFiles(const QString& title, const TakeAll& take);
  void chooseFile(const QString& title, const QStringList& filters, const Take& take,
                  const QString& key = QStringLiteral("folder"));
  void chooseFolder(const QString& title, const QString& key, const Take& take,
                    const std::function<void()>& cancelled = {});
  /// Asks for a file to write, starting in the folder of the last one.
  void askSave(const QString& title, const QString& name, const QString& filter, const Take& save);
  /// The folder under `key` in the settings, else the one last opened from, else that of documents.
  QString folder(const QString& key) const;
  /// Saves the folder of `file`, if it has one, under `key` in the settings.
  void rememberFolder(const QString& key, const QString& file);

 private:
  void choose(const QString& title, QFileDialog::FileMode mode, const QStringList& filters,
              const QString& key, const TakeAll& take, const std::function<void()>& cancelled);

  QWidget& window_;
  const model::PreferenceStore& preferences_;
  QSettings& settings_;
};

}  // namespace sulcus::ui::widgets
