#pragma once

#include "core/base/options.h"

#include <QSlider>

namespace sulcus::ui::widgets {

/// A slider over the range of an option, in its steps. A range of more than a thousand steps is too wide to
/// be set by hand: then it spans a hundred steps on each side of a value, and moves when the value leaves
/// that span, unless it is given a range.
class OptionSlider : public QSlider {
  Q_OBJECT
 public:
  explicit OptionSlider(const OptionInfo& option, QWidget* parent = nullptr);

  /// Spans `low` to `high`, which must be within the range of the option, in about two hundred round steps,
  /// none smaller than `least`.
  void setSpan(double low, double high, double least);
  /// Spans the range of the option again.
  void setSpan(const OptionInfo& option);
  double number() const { return low_ + value() * step_; }
  /// Shows a value without signalling.
  void setNumber(double number);

 signals:
  /// The user moved it.
  void moved(double number);

 private:
  void span(double middle);

  double minimum_ = 0, maximum_ = 1, step_ = 1, low_ = 0;
  bool whole_ = true;  ///< the slider spans the whole range
};

}  // namespace sulcus::ui::widgets
