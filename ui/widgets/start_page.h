#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/recent_files.h"

#include <QWidget>

class QVBoxLayout;

namespace sulcus::ui::widgets {

/// What the window shows before anything is open: Open…, the demos, what was opened last.
class StartPage : public QWidget {
  Q_OBJECT
 public:
  StartPage(const std::vector<Analysis>& analyses, model::RecentFiles& recent, model::RecentFiles& sessions,
            QWidget* parent = nullptr);

 signals:
  void openRequested();
  void openFolderRequested();
  void recentRequested(const QString& path);
  void demoRequested(const QString& analysis);

 private:
  void showRecent();
  void addRecent(const QString& title, const QStringList& paths);

  model::RecentFiles &recent_, &sessions_;
  QVBoxLayout* recentColumn_ = nullptr;
};

}  // namespace sulcus::ui::widgets
