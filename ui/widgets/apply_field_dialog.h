#pragma once

#include "ui/model/layer_stack.h"
#include "ui/widgets/name_box.h"

#include <QDialog>
#include <string>

class QComboBox;
class QLabel;
class QPushButton;

namespace sulcus::ui::widgets {

/// Which layer a displacement field is to bring along, and onto which grid. Not modal: the views can be
/// looked at.
class ApplyFieldDialog : public QDialog {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit ApplyFieldDialog(model::LayerStack& layers, QWidget* parent = nullptr);

  /// Whether there is a field and something else that it can bring along.
  static bool hasChoice(const model::LayerStack& layers);

 signals:
  /// `like`: 0 for the grid of the field.
  void wanted(model::LayerId field, model::LayerId layer, model::LayerId like,
              const std::string& interpolation);

 private:
  void fill();
  void showKind();

  model::LayerStack& layers_;
  NameBox *field_ = nullptr, *layer_ = nullptr, *like_ = nullptr;
  QComboBox* interpolation_ = nullptr;
  QLabel* hint_ = nullptr;
  QPushButton* apply_ = nullptr;
};

}  // namespace sulcus::ui::widgets
