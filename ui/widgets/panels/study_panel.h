#pragma once

#include "ui/model/choices/study_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace sulcus::ui::widgets {

/// The participants of a study as a table: a selected row is shown, flags and comments are kept.
class StudyPanel : public QWidget {
  Q_OBJECT
 public:
  /// `study` must outlive this.
  explicit StudyPanel(model::StudyModel& study, QWidget* parent = nullptr);

  /// The shell command that computes a study without results, or why there is no such command; both empty:
  /// the study has results.
  void setCommand(const QString& command, const QString& whyNone);

 signals:
  void scansRequested();
  void copyRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeBegin();
  void fitColumns();
  void markShown();

  model::StudyModel& study_;
  QTableView* table_ = nullptr;
  QLabel* summary_ = nullptr;
  QWidget* begin_ = nullptr;  ///< how to start if there are no results yet
  QToolButton* scans_ = nullptr;
  QLineEdit* command_ = nullptr;
  QToolButton* copy_ = nullptr;
};

}  // namespace sulcus::ui::widgets
