#pragma once

#include "ui/model/layers/image_overlay.h"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace sulcus::ui::widgets {

class NumberEdit;

/// The choice of the two overlaid images and of the mode. Visible only while the overlay is on.
class ImageOverlayBar : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  ImageOverlayBar(model::LayerStack& layers, model::ImageOverlay& pair, QWidget* parent = nullptr);

 signals:
  /// Their difference is requested as a layer.
  void differenceRequested();

 private:
  QComboBox* imageChoice(const char* name, const QString& label,
                         void (model::ImageOverlay::*set)(model::LayerId));
  void show();

  model::LayerStack& layers_;
  model::ImageOverlay& pair_;
  QComboBox *lower_ = nullptr, *upper_ = nullptr;
  QButtonGroup* modes_ = nullptr;
  QSlider* share_ = nullptr;
  QLabel* shareText_ = nullptr;
  QSpinBox* tile_ = nullptr;
  NumberEdit* rate_ = nullptr;
};

}  // namespace sulcus::ui::widgets
