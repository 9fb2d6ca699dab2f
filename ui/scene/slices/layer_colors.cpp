#include "ui/scene/slices/layer_colors.h"

#include <algorithm>
#include <cmath>

#include <vtkObjectFactory.h>

namespace sulcus::ui::scene {

vtkStandardNewMacro(LayerColors);

void LayerColors::show(const Display& display, Range range) {
  range = colorRange(display, display.range.value_or(range));
  if (everShown_ && !labels_ && display.colormap == display_.colormap &&
      display.negativeColormap == display_.negativeColormap && display.hideBelow == display_.hideBelow &&
      display.hideAbove == display_.hideAbove && display.fade == display_.fade &&
      range == Range{range_[0], range_[1]})
    return;
  table_ = colormapTable(display.colormap);
  if (!display.negativeColormap.empty()) negatives_ = colormapTable(display.negativeColormap);
  display_ = display;
  range_[0] = range.low;
  range_[1] = range.high;
  labels_ = false;
  everShown_ = true;
  Modified();
}

void LayerColors::showLabels(const Display& display, const std::shared_ptr<const LabelTable>& names,
                             const Rgba& without) {
  if (labels_ && display.colormap == display_.colormap && names == names_ && without == without_) return;
  names_ = names;
  without_ = without;
  labels_ = true;
  display_ = display;
  alarm_.reset();
  if (display.colormap != Display().colormap) {
    alarm_ = colormapTable(display.colormap)[128];
    (*alarm_)[3] = 255;
  }
  Modified();
}

Range LayerColors::bar() const {
  return {display_.negativeColormap.empty() ? range_[0] : -range_[1], range_[1]};
}

Rgba LayerColors::colorOf(double value) const {
  if (labels_) {
    if (value == 0 || std::isnan(value)) return without_;
    if (alarm_) return *alarm_;
    const Rgb color = labelColor(Label(value), names_.get());
    return {color[0], color[1], color[2], 255};
  }
  const double opacity = shownOpacity(display_, value);
  if (opacity == 0) return {0, 0, 0, 0};
  const bool negative = value < 0 && !display_.negativeColormap.empty();
  value = shownValue(display_, value);
  const double width = range_[1] - range_[0];
  const double share = width > 0 ? (value - range_[0]) / width : value >= range_[1];
  Rgba color = (negative ? negatives_ : table_)[std::size_t(std::clamp(share * 256, 0.0, 255.0))];
  color[3] = std::uint8_t(std::lround(opacity * color[3]));
  return color;
}

template <class T>
void LayerColors::paintEach(const T* values, unsigned char* rgba, std::int64_t count) const {
  for (std::int64_t i = 0; i < count; ++i) {
    const Rgba color = colorOf(double(values[i]));
    std::copy_n(color.data(), 4, rgba + 4 * i);
  }
}

void LayerColors::paint(const Label* labels, unsigned char* rgba, std::int64_t count) const {
  paintEach(labels, rgba, count);
}

void LayerColors::paint(const float* values, unsigned char* rgba, std::int64_t count) const {
  const double width = range_[1] - range_[0];
  const bool anyHidden = display_.hideBelow || display_.hideAbove;
  if (labels_ || anyHidden || !display_.negativeColormap.empty() || !(width > 0)) {
    paintEach(values, rgba, count);
    return;
  }
  // Without labels and hidden ranges, only NaN has to be tested for.
  const double scale = 256 / width;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = values[i];
    const Rgba color = std::isnan(value)
                           ? Rgba{0, 0, 0, 0}
                           : table_[std::size_t(std::clamp((value - range_[0]) * scale, 0.0, 255.0))];
    std::copy_n(color.data(), 4, rgba + 4 * i);
  }
}

const unsigned char* LayerColors::MapValue(double value) {
  last_ = colorOf(value);
  return last_.data();
}

void LayerColors::GetColor(double value, double rgb[3]) {
  const Rgba color = colorOf(value);
  for (int c = 0; c < 3; ++c) rgb[c] = color[std::size_t(c)] / 255.0;
}

double LayerColors::GetOpacity(double value) { return colorOf(value)[3] / 255.0; }

template <class T>
void LayerColors::map(const T* input, unsigned char* output, int count, int stride, int format) const {
  for (int i = 0; i < count; ++i, input += stride, output += format) {
    const Rgba color = colorOf(double(*input));
    switch (format) {
      case VTK_RGBA:
        std::copy_n(color.data(), 4, output);
        break;
      case VTK_RGB:
        std::copy_n(color.data(), 3, output);
        break;
      case VTK_LUMINANCE_ALPHA:
        output[1] = color[3];
        [[fallthrough]];
      default:
        output[0] = std::uint8_t((color[0] * 77 + color[1] * 151 + color[2] * 28) >> 8);
    }
  }
}

void LayerColors::MapScalarsThroughTable2(void* input, unsigned char* output, int type, int count, int stride,
                                          int format) {
  switch (type) { vtkTemplateMacro(map(static_cast<const VTK_TT*>(input), output, count, stride, format)); }
}

}  // namespace sulcus::ui::scene
