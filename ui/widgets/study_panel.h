#pragma once

#include "ui/model/study_model.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace sulcus::ui::widgets {

/// The participants of a study as a table: a row that is chosen is shown, flags and comments are kept.
class StudyPanel : public QWidget {
  Q_OBJECT
 public:
  /// `study` must outlive this.
  explicit StudyPanel(model::StudyModel& study, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fitColumns();
  void markShown();

  model::StudyModel& study_;
  QTableView* table_ = nullptr;
  QLabel* summary_ = nullptr;
};

}  // namespace sulcus::ui::widgets
