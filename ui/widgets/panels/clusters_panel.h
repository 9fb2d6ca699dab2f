#pragma once

#include "ui/model/layers/clusters_model.h"
#include "ui/model/layers/table_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;
class QToolButton;

namespace sulcus::ui::widgets {

class NumberEdit;

/// Clusters and peaks of the current map as a table; selecting a row moves the crosshair to its peak.
class ClustersPanel : public QWidget {
  Q_OBJECT
 public:
  /// `layers` and `clusters` must outlive this.
  ClustersPanel(model::LayerStack& layers, model::ClustersModel& clusters, QWidget* parent = nullptr);

  /// The buttons for the row of tabs.
  QWidget* tools() { return tools_; }
  /// The table as tab-separated text.
  QString text() const;

 signals:
  void placeChosen(Vec3<double> world);
  void saveRequested();
  /// The table should become a layer.
  void keepRequested();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void showLabels();
  void showTable();
  void setOptions();

  model::LayerStack& layers_;
  model::ClustersModel& clusters_;
  model::TableModel rows_;
  QWidget* tools_ = nullptr;
  QComboBox *connectivity_ = nullptr, *labels_ = nullptr;
  NumberEdit* leastVolume_ = nullptr;
  QLabel* summary_ = nullptr;
  QTableView* table_ = nullptr;
  std::vector<QWidget*> needTable_;
};

}  // namespace sulcus::ui::widgets
