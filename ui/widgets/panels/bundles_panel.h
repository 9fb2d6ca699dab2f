#pragma once

#include "ui/model/layers/dissection.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace sulcus::ui::widgets {

class NumberEdit;

/// The bundles that are cut out of tracts by hand, each with its regions below it: what they hold, and what
/// can be done with them.
class BundlesPanel : public QWidget {
  Q_OBJECT
 public:
  /// All must outlive this.
  BundlesPanel(model::LayerStack& layers, model::Dissection& dissection, model::ViewState& view,
               QWidget* parent = nullptr);

 signals:
  /// The lines of this bundle are to become a layer.
  void layerRequested(int bundle);

 private:
  void buildTools();
  void show();
  void showRow(QTreeWidgetItem& item, int bundle);
  void removeChosen();
  /// The region in hand; null for none.
  const TractRegion* region() const;
  void addRegion(TractRegion::Shape shape);

  model::LayerStack& layers_;
  model::Dissection& dissection_;
  model::ViewState& view_;
  QWidget* tools_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  QLabel* note_ = nullptr;
  QComboBox* role_ = nullptr;
  NumberEdit* reach_ = nullptr;
  std::vector<QWidget*> needTracts_, needBundle_;
  bool showing_ = false;
};

}  // namespace sulcus::ui::widgets
