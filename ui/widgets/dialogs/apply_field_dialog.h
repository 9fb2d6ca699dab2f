#pragma once

#include "ui/model/choices/field_application.h"
#include "ui/widgets/controls/elided_combo_box.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sulcus::ui::widgets {

/// Selects the layer to transform by displacement fields and linear transforms, and the grid of the result.
/// Not modal: the views stay usable.
class ApplyFieldDialog : public QDialog {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit ApplyFieldDialog(model::LayerStack& layers, QWidget* parent = nullptr);

  /// Whether there is a transform and another layer to which it can be applied.
  static bool hasChoice(const model::LayerStack& layers);

 signals:
  void applyRequested(const model::FieldApplication& application);

 private:
  void fill();
  void showKind();
  model::FieldApplication chosen() const;

  model::LayerStack& layers_;
  ElidedComboBox *field_ = nullptr, *second_ = nullptr, *layer_ = nullptr, *grid_ = nullptr;
  QCheckBox *inverse_ = nullptr, *secondInverse_ = nullptr;
  QComboBox* interpolation_ = nullptr;
  QLineEdit* fill_ = nullptr;
  QLabel* hint_ = nullptr;
  QPushButton* apply_ = nullptr;
};

}  // namespace sulcus::ui::widgets
