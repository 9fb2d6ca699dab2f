#pragma once

#include "ui/model/layers/layer_stack.h"

#include <QWidget>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

class ElidedComboBox;

/// Two boxes in place of all the layers of a run: which effect or contrast, and which quantity (probability,
/// mean, z, …). The selected layer is shown in place of the previous one.
class ResultChooser : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit ResultChooser(model::LayerStack& layers, QWidget* parent = nullptr);

  /// Offers the layers of a run and shows which is selected; hidden if there are fewer than two.
  void offer(const std::vector<model::LayerId>& ids, model::LayerId chosen);

 private:
  struct Part {
    model::LayerId id;
    QString effect, quantity;
  };
  void effectChosen();
  void quantityChosen();
  void show(model::LayerId id);
  void fill();
  const Part* partOf(model::LayerId id) const;

  model::LayerStack& layers_;
  std::vector<Part> parts_;
  model::LayerId chosen_ = 0;
  ElidedComboBox *effect_ = nullptr, *quantity_ = nullptr;
};

}  // namespace sulcus::ui::widgets
