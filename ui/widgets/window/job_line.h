#pragma once

#include "ui/model/runs/job_list_model.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace sulcus::ui::widgets {

/// The running job, its progress, and a button to stop it: on screen whatever panel is open, and hidden while
/// nothing runs.
class JobLine : public QWidget {
  Q_OBJECT
 public:
  /// `jobs` must outlive this.
  explicit JobLine(model::JobListModel& jobs, QWidget* parent = nullptr);

 private:
  void showJob();

  model::JobListModel& jobs_;
  QLabel* text_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QToolButton* cancel_ = nullptr;
};

}  // namespace sulcus::ui::widgets
