#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>

namespace sulcus::ui::model {

/// The most recently opened files and folders, newest first, kept between runs of the program.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  static constexpr int kMost = 10;

  /// `settings` must outlive this.
  explicit RecentFiles(QSettings& settings, const QString& key = QStringLiteral("recentFiles"),
                       QObject* parent = nullptr);

  void add(const QString& path);
  void clear();
  /// Absolute paths; deleted files are not removed, opening one reports it.
  QStringList paths() const;

 signals:
  void changed();

 private:
  void store(const QStringList& paths);

  QSettings& settings_;
  QString key_;
};

}  // namespace sulcus::ui::model
