#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/widgets/controls/elided_combo_box.h"

#include <QString>
#include <utility>
#include <vector>

class QListWidget;

namespace sulcus::ui::widgets {

/// Selects several layers in order: shows which one or how many, above a list with check boxes and dragging.
class LayerPicker : public ElidedComboBox {
  Q_OBJECT
 public:
  /// `nothing` is its text while nothing is selected.
  explicit LayerPicker(const QString& nothing, QWidget* parent = nullptr);

  /// The available layers, and the selected ones in order.
  void setLayers(const std::vector<std::pair<model::LayerId, QString>>& offered,
                 const std::vector<model::LayerId>& chosen);
  /// The list that drops down.
  QListWidget* list() { return list_; }
  void showPopup() override;

 signals:
  void chosen(const std::vector<model::LayerId>& layers);

 protected:
  QStringList names() const override;

 private:
  /// Checks the rows between two as the second one is.
  void checkBetween(int from, int to);
  void tell();
  std::vector<model::LayerId> checked() const;
  void sayChoice();

  QString nothing_;
  std::vector<std::pair<model::LayerId, QString>> offered_;  ///< as last written
  QWidget* popup_ = nullptr;
  QListWidget* list_ = nullptr;
  bool unchanged_ = false;  ///< since a row was pressed
  int last_ = -1;           ///< the row that was clicked last; −1: none since the list was opened
};

}  // namespace sulcus::ui::widgets
