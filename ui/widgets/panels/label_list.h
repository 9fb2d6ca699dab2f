#pragma once

#include "ui/model/layers/label_lists.h"

#include <QWidget>
#include <memory>
#include <set>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace sulcus::ui::widgets {

/// The labels of an image or of the points of a surface with their colors, names and volumes or areas. A
/// click, or Return, goes to one. If there are many, a field above filters them by name.
class LabelList : public QWidget {
  Q_OBJECT
 public:
  /// `lists` must outlive this.
  explicit LabelList(model::LabelLists& lists, QWidget* parent = nullptr);

  /// Fills the list with the labels of a layer as far as they are known, unless it already shows them.
  void show(const model::LayerState& state);
  /// Selects a label in the list and goes to it.
  void choose(sulcus::Label label);

 signals:
  /// A label of the layer should get a new name or color.
  void entryChanged(sulcus::Label label, const sulcus::LabelEntry& entry);
  /// Labels of the layer should be changed to another one, 0: removed.
  void relabelRequested(const std::set<sulcus::Label>& from, sulcus::Label to);
  /// A point in the middle of the selected label, mm, RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// The entry of a label in the layer's table.
  LabelEntry entryOf(sulcus::Label label) const;
  /// The row of a label of a layer; null if it is no longer shown.
  QTreeWidgetItem* itemOf(sulcus::Label label, model::LayerId of) const;
  void pickColor(sulcus::Label label);
  sulcus::Label labelOf(const QTreeWidgetItem& item) const;
  void takeName(QTreeWidgetItem* item);
  void showMenu(const QPoint& at);
  std::set<sulcus::Label> selected() const;
  void filter(const QString& typed);
  void lead(QTreeWidgetItem* item);
  QTreeWidgetItem* firstShown() const;

  model::LabelLists& lists_;
  std::shared_ptr<const model::ListedLabels> shown_;
  model::LayerId layer_ = 0;  ///< whose labels they are
  QLineEdit* query_ = nullptr;
  QTreeWidget* list_ = nullptr;
};

}  // namespace sulcus::ui::widgets
