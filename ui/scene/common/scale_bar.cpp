#include "ui/scene/common/scale_bar.h"

#include "ui/scene/common/text_font.h"

#include <cmath>
#include <cstdio>

#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {

ScaleLength scaleLength(double millimetersPerPixel, double mostPixels) {
  const double most = millimetersPerPixel * mostPixels;
  const double ten = std::pow(10, std::floor(std::log10(most) + 1e-9));
  double length = ten;
  if (most >= 2 * ten) length = 2 * ten;
  if (most >= 5 * ten) length = 5 * ten;
  char text[32];
  if (length < 10)
    std::snprintf(text, sizeof text, "%g mm", length);
  else
    std::snprintf(text, sizeof text, "%g cm", length / 10);
  return {length, text};
}

ScaleBar::ScaleBar(vtkRenderer* renderer)
    : renderer_(renderer),
      shadow_(renderer, {0, 0, 0}, 0.6),
      line_(renderer, {0.9, 0.92, 0.94}, 1),
      text_(renderer) {
  setScaleFont(text_->GetTextProperty());
  hide();
}

void ScaleBar::hide() {
  shadow_.set({}, 1);
  line_.set({}, 1);
  text_->SetVisibility(false);
}

void ScaleBar::layOut(int width, double above, double millimetersPerPixel) {
  const double unit = pixelsPerPoint(renderer_);
  const ScaleLength scale = scaleLength(millimetersPerPixel, 0.25 * width);
  const double right = width - 10 * unit, left = right - scale.millimeters / millimetersPerPixel;
  const double y = above, tick = 4 * unit;
  const std::vector<Lines2d::Line> lines = {
      {left, y, right, y}, {left, y - tick, left, y + tick}, {right, y - tick, right, y + tick}};
  shadow_.set(lines, 4 * unit);
  line_.set(lines, 1.5 * unit);
  if (!text_->GetInput() || scale.text != text_->GetInput()) text_->SetInput(scale.text.c_str());
  text_->SetPosition(left - 6 * unit, y);
  text_->SetVisibility(true);
}

}  // namespace sulcus::ui::scene
