#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/session/recent_files.h"

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace sulcus::ui::widgets {

/// What the window shows before anything is open: a place to drop files on, what was opened last, the demos.
class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(const std::vector<Analysis>& analyses, model::RecentFiles& recent, model::RecentFiles& sessions,
            QWidget* parent = nullptr);

 signals:
  void openRequested();
  void openFolderRequested();
  void openStudyRequested();
  void recentRequested(const QString& path);
  void demoRequested(const QString& analysis);

 private:
  QWidget* makeDropTarget();
  QVBoxLayout* makeDemos(const std::vector<Analysis>& analyses);
  /// A button of two lines.
  QPushButton* makeCard(const QString& title, QLabel* below);
  void showRecent();
  void addRecent(const QString& title, const QStringList& paths);

  model::RecentFiles &recent_, &sessions_;
  QVBoxLayout* recentColumn_ = nullptr;
};

}  // namespace sulcus::ui::widgets
