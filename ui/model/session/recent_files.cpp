#include "ui/model/session/recent_files.h"

#include <QFileInfo>

namespace sulcus::ui::model {

RecentFiles::RecentFiles(QSettings& settings, const QString& key, QObject* parent)
    : QObject(parent), settings_(settings), key_(key) {}

void RecentFiles::add(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList list = paths();
  list.removeAll(absolute);
  list.prepend(absolute);
  store(list.mid(0, kMost));
}

void RecentFiles::clear() { store({}); }

QStringList RecentFiles::paths() const { return settings_.value(key_).toStringList(); }

void RecentFiles::store(const QStringList& paths) {
  settings_.setValue(key_, paths);
  emit changed();
}

}  // namespace sulcus::ui::model
