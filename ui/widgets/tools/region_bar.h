#pragma once

#include "ui/model/layers/region_tools.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QToolButton;

namespace sulcus::ui::widgets {

class NumberEdit;
class WholeEdit;

/// The settings of the brush; visible while it is on.
class RegionBar : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  RegionBar(model::LayerStack& layers, model::RegionTools& tools, QWidget* parent = nullptr);

 signals:
  void ballRequested();
  void statisticsRequested();

 private:
  void showBrush();
  void showTarget();
  void takeBrush();

  model::LayerStack& layers_;
  model::RegionTools& tools_;
  QLabel* target_ = nullptr;
  WholeEdit* label_ = nullptr;
  NumberEdit* radius_ = nullptr;
  QToolButton *ball_ = nullptr, *erases_ = nullptr;
};

}  // namespace sulcus::ui::widgets
