#pragma once

#include "ui/model/comparison/comparison_model.h"
#include "ui/model/runs/run_controller.h"

#include <QWidget>
#include <array>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;
class QTableView;

namespace sulcus::ui::widgets {

class ElidedComboBox;

/// The comparison as a sentence, a table and the worst voxels; any two runs of one analysis can be chosen.
class ComparePanel : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  ComparePanel(model::RunController& runs, model::LayerStack& layers, QWidget* parent = nullptr);

  const model::ComparisonModel& model() const { return model_; }
  QTableView* table() { return table_; }
  /// Whether the last two runs are of one analysis.
  bool mayCompareLast() const;
  void compareLast();
  /// The widgets next to its tab.
  QWidget* tools() { return exports_; }
  QImage tablePicture();

 signals:
  void worstChosen(Vec3<double> world);
  void saveCsvRequested();
  void savePictureRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showRuns();
  /// The last two runs, else the first two comparable layers that are not of one run, visible ones if
  /// possible.
  std::array<int, 2> suggestedSides() const;
  /// Offers everything that can be compared; `keep`: the current selection, else the last two.
  void offerSides(bool keep);
  model::RunPtr chosen(const QComboBox* box) const;
  void showTitles();
  void showSummary();
  /// Shows this comparison; null: none.
  void showComparison(const model::ComparedPtr& comparison);
  /// If the columns have no room, the names of the runs are shortened, then those of the quantities, so that
  /// the verdict stays visible.
  void fitToRoom();

  model::RunController& runs_;
  const model::LayerStack& layers_;
  model::ComparisonModel model_;
  QLabel* summary_ = nullptr;
  QSplitter* split_ = nullptr;
  QTableView* table_ = nullptr;
  QListWidget* worst_ = nullptr;
  ElidedComboBox *first_ = nullptr, *second_ = nullptr;
  bool byHand_ = false;               ///< the user chose what they show
  std::vector<model::RunPtr> sides_;  ///< in the order of the boxes
  QPushButton* compare_ = nullptr;
  QWidget* exports_ = nullptr;
  int widths_[model::ComparisonModel::columns] = {};  ///< of the columns, unshortened
};

}  // namespace sulcus::ui::widgets
