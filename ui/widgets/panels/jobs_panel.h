#pragma once

#include "ui/model/runs/job_list_model.h"

#include <QWidget>
#include <utility>

class QPlainTextEdit;
class QSplitter;
class QTableView;
class QTableWidget;
class QToolButton;

namespace sulcus::ui::widgets {

/// The job list: a progress bar and Cancel or Re-run in every row. Beside it the figures of the chosen job
/// and its log, which is folded while figures say it all.
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
  /// The figures over the log.
  QWidget* makeReport();
  void showFigures(model::JobId job);

  model::JobListModel& jobs_;
  QSplitter* split_ = nullptr;
  QTableView* table_ = nullptr;
  QTableWidget* figures_ = nullptr;
  QToolButton* details_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  std::pair<model::JobId, bool> shown_{-1, false};  ///< and whether its log was opened
};

}  // namespace sulcus::ui::widgets
