#pragma once

#include "ui/model/image_pair.h"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace sulcus::ui {

/// Which two images are seen in one place and how. There only while they are.
class ImagePairBar : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  ImagePairBar(LayerStack& layers, ImagePair& pair, QWidget* parent = nullptr);

 private:
  QComboBox* imageChoice(const char* name, const QString& label, void (ImagePair::*set)(LayerId));
  void show();

  LayerStack& layers_;
  ImagePair& pair_;
  QComboBox *lower_ = nullptr, *upper_ = nullptr;
  QButtonGroup* modes_ = nullptr;
  QSlider* share_ = nullptr;
  QLabel* shareText_ = nullptr;
  QSpinBox* tile_ = nullptr;
};

}  // namespace sulcus::ui
