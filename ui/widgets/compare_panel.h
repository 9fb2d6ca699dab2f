#pragma once

#include "ui/model/comparison_model.h"
#include "ui/model/run_controller.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QTableView;

namespace sulcus::ui {

/// The comparison as a sentence, a table and the worst voxels; any two runs of one analysis can be chosen.
class ComparePanel : public QWidget {
  Q_OBJECT
 public:
  /// `runs` must outlive this.
  explicit ComparePanel(RunController& runs, QWidget* parent = nullptr);

  const ComparisonModel& model() const { return model_; }
  QTableView* table() { return table_; }
  QImage tablePicture();

 signals:
  void worstChosen(sulcus::Vec3<double> world);
  void saveCsvRequested();
  void savePictureRequested();

 private:
  void showRuns();
  void showComparison(const ComparedPtr& comparison);

  RunController& runs_;
  ComparisonModel model_;
  QLabel* summary_ = nullptr;
  QTableView* table_ = nullptr;
  QListWidget* worst_ = nullptr;
  QComboBox *first_ = nullptr, *second_ = nullptr;
  QPushButton* compare_ = nullptr;
  QWidget* exports_ = nullptr;
};

}  // namespace sulcus::ui
