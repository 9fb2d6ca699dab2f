#pragma once

#include "ui/model/choices/warp_preview.h"
#include "ui/model/layers/layer_stack.h"

#include <QDialog>

class QComboBox;
class QLabel;

namespace sulcus::ui::widgets {

/// Selects the convention by which an image of three volumes is a displacement, with a preview on the
/// reference. Not modal: the views stay usable.
class DisplacementDialog : public QDialog {
  Q_OBJECT
 public:
  /// The models must outlive this.
  DisplacementDialog(model::LayerStack& layers, model::WarpPreview& preview, model::LayerId warp,
                     QWidget* parent = nullptr);
  ~DisplacementDialog() override;

  Reinterpretation reinterpretation() const;

 signals:
  void taken(model::LayerId warp, const Reinterpretation& reinterpretation);

 private:
  void refresh();

  model::LayerStack& layers_;
  model::WarpPreview& preview_;
  model::LayerId warp_;
  QComboBox *format_ = nullptr, *moving_ = nullptr;
  QLabel* summary_ = nullptr;
};

}  // namespace sulcus::ui::widgets
