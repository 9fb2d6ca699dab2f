#pragma once

#include "ui/model/image_pair.h"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace sulcus::ui::widgets {

class NumberEdit;

/// Which two images are seen in one place and how. There only while they are.
class ImagePairBar : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  ImagePairBar(model::LayerStack& layers, model::ImagePair& pair, QWidget* parent = nullptr);

 signals:
  /// Their difference is wanted as a layer.
  void differenceRequested();

 private:
  QComboBox* imageChoice(const char* name, const QString& label,
                         void (model::ImagePair::*set)(model::LayerId));
  void show();

  model::LayerStack& layers_;
  model::ImagePair& pair_;
  QComboBox *lower_ = nullptr, *upper_ = nullptr;
  QButtonGroup* modes_ = nullptr;
  QSlider* share_ = nullptr;
  QLabel* shareText_ = nullptr;
  QSpinBox* tile_ = nullptr;
  NumberEdit* rate_ = nullptr;
};

}  // namespace sulcus::ui::widgets
