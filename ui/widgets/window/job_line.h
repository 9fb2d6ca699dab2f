#pragma once

#include "ui/model/runs/job_list_model.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace sulcus::ui::widgets {

/// The job that runs, how far it is, and a button that stops it: on screen whatever panel is open, and hidden
/// while nothing runs.
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
