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

/// The job list: a progress bar and Cancel or Re-run in every row. Next to it are the figures of the selected
/// job and its log, which is folded if the figures are sufficient.
class JobsPanel : public QWidget {
  Q_OBJECT
 public:
  /// `jobs` must outlive this.
  explicit JobsPanel(model::JobListModel& jobs, QWidget* parent = nullptr);

  QTableView* table() { return table_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Omits the current stage if there is no room for it to be readable.
  void fitStage();
  void buildRow(int row);
  void showRow(int row);
  void showLog();
  /// The figures above the log.
  QWidget* makeReport();
  void showFigures(model::JobId job);

  model::JobListModel& jobs_;
  QSplitter* split_ = nullptr;
  QTableView* table_ = nullptr;
  QTableWidget* figures_ = nullptr;
  QToolButton* details_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  std::pair<model::JobId, bool> shown_{-1, false};  ///< and whether its log was expanded
};

}  // namespace sulcus::ui::widgets
