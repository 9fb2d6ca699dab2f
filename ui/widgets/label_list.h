#pragma once

#include "core/image/label_regions.h"

#include <QTreeWidget>
#include <memory>
#include <vector>

namespace sulcus::ui::widgets {

/// The labels of an image with their colors, names and volumes. A click, or Return, leads to one.
class LabelList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit LabelList(QWidget* parent = nullptr);

  /// Fills the list, unless it has these already.
  void show(const LabelsLayer& labels);

 signals:
  /// A place in the middle of the label chosen, mm, RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);

 private:
  void choose(QTreeWidgetItem* item);

  LabelsLayer labels_;
  std::vector<LabelRegion> regions_;
};

}  // namespace sulcus::ui::widgets
