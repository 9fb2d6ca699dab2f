#include "ui/widgets/controls/range_histogram.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

constexpr int kHeight = 76, kEdge = 7, kHandle = 6;
constexpr double kReach = 9;  ///< pixels within which a handle is hit

}  // namespace

RangeHistogram::RangeHistogram(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
  setToolTip(tr("Drag the triangles for the range of the colors, the bars above for the thresholds"));
}

QSize RangeHistogram::sizeHint() const { return {160, kHeight}; }

void RangeHistogram::setValues(std::vector<float> values) {
  std::erase_if(values, [](float value) { return !std::isfinite(value); });
  std::ranges::sort(values);
  values_ = std::move(values);
  widen();
}

void RangeHistogram::setMarks(const Marks& marks) {
  if (marks == marks_) return;
  marks_ = marks;
  if (held_ == Handle::none) widen();  // the scale stays during a drag
  update();
}

void RangeHistogram::widen() {
  // A few outliers must not squeeze the rest; the marks are always included.
  const auto quantile = [this](double share) {
    return double(values_[std::size_t(share * double(values_.size() - 1))]);
  };
  span_ = marks_.range;
  if (!values_.empty()) span_ = {std::min(span_.low, quantile(0.001)), std::max(span_.high, quantile(0.999))};
  for (const auto& mark : {marks_.below, marks_.above})
    if (mark) span_ = {std::min(span_.low, *mark), std::max(span_.high, *mark)};
  if (!(span_.high > span_.low)) span_.high = span_.low + 1;
  update();
}

std::vector<double> RangeHistogram::bars(int columns) const {
  // Integers, and multiples of any other step, have one bar each, however wide: no gaps between them.
  double step = span_.high - span_.low;
  for (std::size_t i = 1; i < values_.size(); ++i)
    if (values_[i] > values_[i - 1]) step = std::min(step, double(values_[i]) - double(values_[i - 1]));
  const double steps = (span_.high - span_.low) / step;
  const bool each = steps < columns;
  const int bins = each ? int(std::lround(steps)) + 1 : columns;
  const double width = each ? step : (span_.high - span_.low) / columns;
  const double begin = each ? 0.5 : 0;
  const auto binOf = [&](double value) {
    return std::size_t(std::clamp(int((value - span_.low) / width + begin), 0, bins - 1));
  };
  std::vector<double> counts(std::size_t(bins), 0.0);
  for (const float value : values_)
    if (value >= span_.low && value <= span_.high) ++counts[binOf(value)];
  // The background, a single value of many voxels, must not flatten all others.
  for (double& count : counts) count = std::sqrt(count);
  std::vector<double> sorted = counts;
  std::erase(sorted, 0.0);
  std::ranges::sort(sorted);
  constexpr double kUsual = 0.98, kAbove = 1.25;
  const double most =
      sorted.empty() ? 1
                     : std::min(sorted.back(),
                                kAbove * sorted[std::size_t(std::ceil(kUsual * double(sorted.size() - 1)))]);
  std::vector<double> heights(std::size_t(columns), 0.0);
  for (int c = 0; c < columns; ++c) {
    const double value = span_.low + (c + 0.5) / columns * (span_.high - span_.low);
    heights[std::size_t(c)] = std::min(1.0, counts[binOf(value)] / most);
  }
  return heights;
}

double RangeHistogram::pixelOf(double value) const {
  return kEdge + (value - span_.low) / (span_.high - span_.low) * (width() - 2 * kEdge);
}

double RangeHistogram::valueAt(double pixel) const {
  const double share = (pixel - kEdge) / std::max(1, width() - 2 * kEdge);
  return span_.low + std::clamp(share, 0.0, 1.0) * (span_.high - span_.low);
}

RangeHistogram::Handle RangeHistogram::handleAt(QPointF place) const {
  struct Candidate {
    Handle handle;
    std::optional<double> value;
    bool above;
  };
  const Candidate candidates[] = {{Handle::low, marks_.range.low, false},
                                  {Handle::high, marks_.range.high, false},
                                  {Handle::below, marks_.below, true},
                                  {Handle::above, marks_.above, true}};
  Handle found = Handle::none;
  double nearest = kReach;
  for (const Candidate& one : candidates) {
    if (!one.value) continue;
    // Handles of the two kinds may be above each other: the upper or lower half decides.
    const double aside = (place.y() < 0.5 * height()) == one.above ? 0 : 0.5 * kReach;
    const double distance = std::abs(place.x() - pixelOf(*one.value)) + aside;
    if (distance >= nearest) continue;
    nearest = distance;
    found = one.handle;
  }
  return found;
}

void RangeHistogram::mousePressEvent(QMouseEvent* event) {
  held_ = event->button() == Qt::LeftButton ? handleAt(event->position()) : Handle::none;
}

void RangeHistogram::mouseMoveEvent(QMouseEvent* event) {
  if (held_ == Handle::none) {
    setCursor(handleAt(event->position()) == Handle::none ? Qt::ArrowCursor : Qt::SizeHorCursor);
    return;
  }
  const double value = valueAt(event->position().x());
  if (held_ == Handle::low) marks_.range.low = std::min(value, marks_.range.high);
  if (held_ == Handle::high) marks_.range.high = std::max(value, marks_.range.low);
  if (held_ == Handle::below) marks_.below = value;
  if (held_ == Handle::above) marks_.above = value;
  update();
  emit moved();
}

void RangeHistogram::mouseReleaseEvent(QMouseEvent*) {
  held_ = Handle::none;
  widen();
}

void RangeHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor text = palette().color(QPalette::Text), accent = palette().color(QPalette::Highlight);
  const double base = height() - kHandle - 3.0, top = kHandle + 3.0;
  QColor shade = text;
  shade.setAlphaF(0.45F);
  const std::vector<double> heights = bars(std::max(1, width() - 2 * kEdge));
  for (int c = 0; c < int(heights.size()); ++c) {
    const double value = valueAt(kEdge + c + 0.5);
    const bool hidden = (marks_.below && value < *marks_.below) || (marks_.above && value > *marks_.above);
    QColor color = shade;
    if (hidden) color.setAlphaF(0.15F);
    const double high = heights[std::size_t(c)] * (base - top);
    painter.fillRect(QRectF(kEdge + c, base - high, 1, high), color);
  }
  painter.setPen(QPen(shade, 1));
  painter.drawLine(QPointF(kEdge, base), QPointF(width() - kEdge, base));
  for (const double value : {marks_.range.low, marks_.range.high}) {
    const double x = pixelOf(value);
    QPainterPath handle(QPointF(x, base));
    handle.lineTo(x - kHandle, base + kHandle + 2);
    handle.lineTo(x + kHandle, base + kHandle + 2);
    handle.closeSubpath();
    painter.fillPath(handle, text);
  }
  for (const auto& mark : {marks_.below, marks_.above}) {
    if (!mark) continue;
    const double x = pixelOf(*mark);
    painter.setPen(QPen(accent, 1.5));
    painter.drawLine(QPointF(x, 2), QPointF(x, base));
    painter.fillRect(QRectF(x - 3.5, 0, 7, kHandle + 3), accent);
  }
}

}  // namespace sulcus::ui::widgets
