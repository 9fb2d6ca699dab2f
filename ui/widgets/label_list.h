#pragma once

#include "core/base/memo.h"
#include "ui/model/layer_stack.h"

#include <QWidget>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace sulcus::ui::widgets {

/// The labels that occur in an image or at the points of a surface, ascending.
struct ListedLabels {
  struct One {
    std::int32_t label = 0;
    QString name;                         ///< with its number
    double amount = 0;                    ///< in `unit`
    QString size;                         ///< "120 voxels"
    std::function<Vec3<double>()> place;  ///< in the middle of it, mm, RAS+
  };
  QString unit;
  std::shared_ptr<const LabelTable> names;
  std::vector<One> labels;
};

/// The labels of an image or of the points of a surface with their colors, names and volumes or areas. A
/// click, or Return, leads to one. Where there are many a field above shows those whose names have what is
/// typed.
class LabelList : public QWidget {
  Q_OBJECT
 public:
  explicit LabelList(QWidget* parent = nullptr);

  /// What a layer has of labels; null: none. It is kept for the layers that were asked for last.
  std::shared_ptr<const ListedLabels> labelsOf(const model::LayerState& state);
  /// Fills the list with the labels of a layer, unless it has these already.
  void show(const model::LayerState& state);
  /// Selects a label of the list and leads there.
  void choose(std::int32_t label);

 signals:
  /// A place in the middle of the label chosen, mm, RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Key {
    Identity content, names;
    std::string scalars;  ///< of a surface
    friend bool operator==(const Key&, const Key&) = default;
  };
  void filter(const QString& typed);
  void lead(QTreeWidgetItem* item);
  QTreeWidgetItem* firstShown() const;

  Memo<Key, std::shared_ptr<const ListedLabels>> known_{8};
  std::shared_ptr<const ListedLabels> shown_;
  QLineEdit* query_ = nullptr;
  QTreeWidget* list_ = nullptr;
};

}  // namespace sulcus::ui::widgets
