#pragma once

#include "core/image/layer.h"

#include <QTreeWidget>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// The labels of an image or of the points of a surface with their colors, names and volumes or areas. A
/// click, or Return, leads to one.
class LabelList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit LabelList(QWidget* parent = nullptr);

  /// Fills the list with the labels of an image, unless it has these already.
  void show(const LabelsLayer& labels);
  /// The same for the labels among the scalars of a surface.
  void show(const std::shared_ptr<const Mesh>& mesh, const std::string& scalars);

 signals:
  /// A place in the middle of the label chosen, mm, RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);

 private:
  /// Where a label is, mm, RAS+.
  using Place = std::function<Vec3<double>()>;
  void begin(const QString& unit);
  void addLabel(std::int32_t label, const LabelTable* names, double amount, const QString& size, Place place);
  void end();
  void choose(QTreeWidgetItem* item);

  LabelsLayer labels_;
  std::shared_ptr<const Mesh> mesh_;
  std::string scalars_;
  std::vector<Place> places_;
};

}  // namespace sulcus::ui::widgets
