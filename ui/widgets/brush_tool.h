#pragma once

#include "ui/model/region_tools.h"

#include <QObject>

class QWidget;

namespace sulcus::ui::widgets {

class SliceView;

/// While the brush is on, the left button paints in a slice instead of moving the crosshair, and the pointer
/// is a circle of the brush's size. A child of the view.
class BrushTool : public QObject {
  Q_OBJECT
 public:
  /// `tools` must outlive the view.
  BrushTool(SliceView& view, model::RegionTools& tools);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showPointer();

  SliceView& view_;
  model::RegionTools& tools_;
  QWidget* canvas_ = nullptr;
  bool painting_ = false;
};

}  // namespace sulcus::ui::widgets
