#pragma once

#include "ui/model/runs/job_list_model.h"

#include <QWidget>

class QPlainTextEdit;
class QSplitter;
class QTableView;

namespace sulcus::ui::widgets {

/// The job list: a progress bar and Cancel or Re-run in every row, the log of the chosen job beside it.
class JobsPanel : public QWidget {
  Q_OBJECT
 public:
  /// `jobs` must outlive this.
  explicit JobsPanel(model::JobListModel& jobs, QWidget* parent = nullptr);

  QTableView* table() { return table_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Leaves out what is being done where it has no room to be read.
  void fitStage();
  void buildRow(int row);
  void showRow(int row);
  void showLog();

  model::JobListModel& jobs_;
  QSplitter* split_ = nullptr;
  QTableView* table_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
};

}  // namespace sulcus::ui::widgets
