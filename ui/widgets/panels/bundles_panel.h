#pragma once

#include "ui/model/layers/dissection.h"
#include "ui/model/layers/region_tools.h"
#include "ui/model/runs/growing_lines.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace sulcus::ui::widgets {

class NumberEdit;

/// The bundles that are cut out of tracts by hand, each with its regions below it: what they hold, and what
/// can be done with them. Besides, regions from which lines grow.
class BundlesPanel : public QWidget {
  Q_OBJECT
 public:
  /// All must outlive this.
  BundlesPanel(model::LayerStack& layers, model::Dissection& dissection, model::GrowingLines& growing,
               model::RegionTools& painting, model::ViewState& view, QWidget* parent = nullptr);
  /// Lines grow from the crosshair.
  void growHere();

 signals:
  /// The lines of this bundle are to become a layer.
  void layerRequested(int bundle);
  /// The lines that have grown are to become a layer.
  void linesRequested();

 private:
  void buildTools();
  void show();
  void showRow(QTreeWidgetItem& item, int bundle);
  void removeChosen();
  /// The region in hand; null for none.
  const TractRegion* region() const;
  void addRegion(TractRegion::Shape shape);
  QWidget* growthStrip();
  void showGrowth();
  QString advice() const;
  bool isForSeeds() const;

  model::LayerStack& layers_;
  model::Dissection& dissection_;
  model::GrowingLines& growing_;
  model::RegionTools& painting_;
  model::ViewState& view_;
  QWidget* growth_ = nullptr;
  QLabel* grown_ = nullptr;
  QToolButton *painted_ = nullptr, *remove_ = nullptr;
  QWidget* tools_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  QLabel* note_ = nullptr;
  QComboBox* role_ = nullptr;
  NumberEdit* reach_ = nullptr;
  std::vector<QWidget*> needTracts_, needBundle_, needRole_;
  bool showing_ = false;
};

}  // namespace sulcus::ui::widgets
