#include "ui/widgets/controls/option_slider.h"

#include "ui/widgets/controls/number_edit.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {
constexpr int kMostSteps = 1000, kStepsAside = 100, kStepsOfSpan = 200;
}

OptionSlider::OptionSlider(const OptionInfo& option, QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  guardWheel(this);
  setSpan(option);
  connect(this, &QSlider::valueChanged, this,
          [this] { emit moved(std::clamp(number(), minimum_, maximum_)); });
}

void OptionSlider::setSpan(const OptionInfo& option) {
  minimum_ = option.minimum;
  maximum_ = option.maximum;
  step_ = option.step > 0 ? option.step : (maximum_ - minimum_) / kMostSteps;
  whole_ = (maximum_ - minimum_) / step_ <= kMostSteps + 0.5;
  span(0);
}

void OptionSlider::setSpan(double low, double high, double least) {
  const double wanted = (high - low) / kStepsOfSpan, power = std::pow(10, std::floor(std::log10(wanted)));
  step_ = 10 * power;
  for (const auto& [step, below] : {std::pair(5, 7.5), std::pair(2, 3.5), std::pair(1, 1.5)})
    if (wanted < below * power) step_ = step * power;
  step_ = std::max(step_, least);
  minimum_ = step_ * std::ceil(low / step_ - 1e-9);
  maximum_ = step_ * std::floor(high / step_ + 1e-9);
  whole_ = true;
  span(0);
}

void OptionSlider::span(double middle) {
  const QSignalBlocker quiet(this);
  low_ = whole_ ? minimum_ : std::max(minimum_, middle - kStepsAside * step_);
  const double high = whole_ ? maximum_ : std::min(maximum_, middle + kStepsAside * step_);
  setRange(0, int(std::lround((high - low_) / step_)));
  setPageStep(std::max(1, maximum() / 10));
}

void OptionSlider::setNumber(double number) {
  const QSignalBlocker quiet(this);
  if (!whole_ && (number < low_ || number > low_ + maximum() * step_)) span(number);
  setValue(int(std::lround((number - low_) / step_)));
}

}  // namespace sulcus::ui::widgets
