#include "ui/model/recent_files.h"

#include <QFileInfo>

namespace sulcus::ui::model {
namespace {
const QString kKey = QStringLiteral("recentFiles");
}

RecentFiles::RecentFiles(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {}

void RecentFiles::add(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList list = paths();
  list.removeAll(absolute);
  list.prepend(absolute);
  store(list.mid(0, kMost));
}

void RecentFiles::remove(const QString& path) {
  QStringList list = paths();
  if (list.removeAll(QFileInfo(path).absoluteFilePath()) > 0) store(list);
}

void RecentFiles::clear() { store({}); }

QStringList RecentFiles::paths() const { return settings_.value(kKey).toStringList(); }

void RecentFiles::store(const QStringList& paths) {
  settings_.setValue(kKey, paths);
  emit changed();
}

}  // namespace sulcus::ui::model
