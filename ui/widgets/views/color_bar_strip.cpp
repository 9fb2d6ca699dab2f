#include "ui/widgets/views/color_bar_strip.h"

#include "ui/model/layers/layer_list_model.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <ranges>

#include <vtkNew.h>

namespace sulcus::ui::widgets {
namespace {

constexpr int kWidth = 104, kMargin = 8, kThickness = 14, kHighest = 260, kTitleLines = 6;

/// The scene's description of a layer, as far as needed for its bar.
scene::SceneLayer sceneLayerOf(const model::LayerStack& layers, const model::LayerState& state) {
  return {.id = state.id,
          .layer = state.layer,
          .display = state.display,
          .volume = state.volume,
          .color = state.color,
          .name = model::nameForEye(layers, state.name).toStdString()};
}

bool hasScale(const scene::SceneLayer& layer, const scene::FieldStyle& fields) {
  if (!layer.display.colorBar || scene::shownLabels(*layer.layer, layer.volume)) return false;
  const auto* volume = std::get_if<VolumeLayer>(&layer.layer->content);
  if (volume && volume->colors) return false;
  return scene::shownScalars(*layer.layer, layer.volume) || scene::hasBar(layer, fields);
}

bool isSame(const scene::BarScale& a, const scene::BarScale& b) {
  return a.title == b.title && a.marks == b.marks && a.colors == b.colors;
}

}  // namespace

ColorBarStrip::ColorBarStrip(const model::LayerStack& layers, QWidget* parent)
    : QWidget(parent), layers_(layers) {
  setObjectName(QStringLiteral("colorBars"));
  setAccessibleName(tr("Color bars of the visible layers"));
  setFixedWidth(kWidth);
  connect(&layers_, &model::LayerStack::changed, this, &ColorBarStrip::take);
  take();
}

void ColorBarStrip::setFieldStyle(const scene::FieldStyle& style) {
  if (std::exchange(fields_, style) == style) return;
  take();
}

void ColorBarStrip::setWanted(bool wanted) {
  wanted_ = wanted;
  setVisible(wanted_ && !bars_.empty());
}

void ColorBarStrip::take() {
  bars_.clear();
  for (const model::LayerState& state : std::views::reverse(layers_.layers())) {
    if (!state.display.visible || state.origin == model::Origin::temporary) continue;
    const scene::SceneLayer layer = sceneLayerOf(layers_, state);
    if (!hasScale(layer, fields_)) continue;
    vtkNew<scene::LayerColors> colors;
    colors->show(layer.display, layer.display.range.value_or(Range{0, 1}));
    scene::BarScale scale = scene::barScaleOf(layer, *colors);
    const auto same = [&scale](const scene::BarScale& other) { return isSame(scale, other); };
    if (std::ranges::none_of(bars_, same)) bars_.push_back(std::move(scale));
  }
  setVisible(wanted_ && !bars_.empty());
  update();
}

QRect ColorBarStrip::placeOf(int bar) const {
  const int each = std::min(kHighest, (height() - kMargin) / std::max(1, int(bars_.size())));
  return {kMargin, kMargin + bar * each, width() - 2 * kMargin, each - kMargin};
}

void ColorBarStrip::paintEvent(QPaintEvent*) {
  const QColor text(230, 234, 240), quiet(160, 166, 176);  // on black, as in the views
  QPainter painter(this);
  painter.fillRect(rect(), Qt::black);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.85);
  painter.setFont(small);
  const QFontMetrics metrics(small);
  for (int i = 0; i < int(bars_.size()); ++i) {
    const scene::BarScale& bar = bars_[std::size_t(i)];
    const QRect place = placeOf(i);
    const int lines = std::clamp(place.height() / (2 * metrics.height()), 1, kTitleLines);
    const QString title = QString::fromStdString(scene::titleIn(
        bar.title, std::max(4, place.width() / std::max(1, metrics.averageCharWidth())), lines));
    const int titleHeight = metrics.height() * int(1 + title.count(QLatin1Char('\n')));
    painter.setPen(text);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignTop, title);
    const int gap = metrics.height() / 2 + 4;  // half of the upper number is in it
    const QRect scale(place.left(), place.top() + titleHeight + gap, kThickness,
                      place.height() - titleHeight - gap - metrics.height() / 2);
    if (scale.height() < 2 * metrics.height()) continue;
    const int steps = int(bar.colors.size());
    for (int step = 0; step < steps; ++step) {
      const auto& [r, g, b, a] = bar.colors[std::size_t(step)];
      const int top = scale.bottom() + 1 - (step + 1) * scale.height() / steps,
                below = scale.bottom() + 1 - step * scale.height() / steps;
      painter.fillRect(scale.left(), top, kThickness, below - top, QColor(r, g, b, a));
    }
    painter.setPen(quiet);
    painter.drawRect(scale.adjusted(0, 0, -1, -1));
    painter.setPen(text);
    const double width = bar.high - bar.low;
    for (std::size_t mark = 0; mark < bar.marks.size(); ++mark) {
      const double share = width > 0 ? (bar.marks[mark] - bar.low) / width : 0;
      const bool isEnd = mark + 2 >= bar.marks.size();
      if (!isEnd && std::min(share, 1 - share) * scale.height() < metrics.height()) continue;
      const int y = scale.bottom() - int(share * (scale.height() - 1));
      painter.drawLine(scale.right() + 1, y, scale.right() + 4, y);
      painter.drawText(
          QRect(scale.right() + 7, y - metrics.height() / 2, place.right() - scale.right(), metrics.height()),
          Qt::AlignLeft | Qt::AlignVCenter,
          QString::fromStdString(scene::barNumber(bar.marks[mark], width) + bar.suffix));
    }
  }
}

bool ColorBarStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  for (int i = 0; i < int(bars_.size()); ++i)
    if (placeOf(i).contains(help.pos()))
      QToolTip::showText(help.globalPos(), QString::fromStdString(bars_[std::size_t(i)].title), this);
  return true;
}

}  // namespace sulcus::ui::widgets
