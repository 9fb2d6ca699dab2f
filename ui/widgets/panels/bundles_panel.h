#pragma once

#include "ui/model/workspace.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QMenu;
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
  /// `workspace` must outlive this.
  BundlesPanel(model::Workspace& workspace, QWidget* parent = nullptr);
  /// Lines grow from the crosshair.
  void growHere();

 signals:
  /// The lines of this bundle are to become a layer.
  void layerRequested(int bundle);
  /// The lines that have grown are to become a layer.
  void linesRequested();
  /// The lines of the group that is shown are to become a layer.
  void groupRequested();

 private:
  void buildTools();
  void show();
  QString nameOf(const TractRegion& region) const;
  void showRow(QTreeWidgetItem& item, int bundle);
  void removeChosen();
  /// The region in hand; null for none.
  const TractRegion* region() const;
  void addRegion(TractRegion::Shape shape);
  QWidget* growthStrip();
  QWidget* groupStrip();
  void showGroup();
  void fillLabels();
  void showGrowth();
  QString advice() const;
  bool isForSeeds() const;

  model::LayerStack& layers_;
  model::Dissection& dissection_;
  model::GrowingLines& growing_;
  model::RegionTools& painting_;
  model::LabelLists& labels_;
  model::ViewState& view_;
  QWidget* growth_ = nullptr;
  QLabel* grown_ = nullptr;
  QWidget* group_ = nullptr;
  QLabel* grouped_ = nullptr;
  QToolButton *painted_ = nullptr, *label_ = nullptr, *remove_ = nullptr, *command_ = nullptr;
  QMenu* labelMenu_ = nullptr;
  QWidget* tools_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  QLabel* note_ = nullptr;
  QComboBox* role_ = nullptr;
  NumberEdit* reach_ = nullptr;
  std::vector<QWidget*> needTracts_, needBundle_, needRole_;
  bool showing_ = false;
};

}  // namespace sulcus::ui::widgets
