#include "core/base/progress.h"

#include "core/base/error.h"

#include <algorithm>

namespace sulcus {

void Progress::throwIfCancelled() const {
  if (stop_.stop_requested()) throw Cancelled();
}

void Progress::update(double fraction) const {
  throwIfCancelled();
  if (sink_) sink_(from_ + (to_ - from_) * std::clamp(fraction, 0.0, 1.0), stage_);
}

Progress Progress::part(double from, double to, std::string_view stage) const {
  Progress inner = *this;
  inner.from_ = from_ + (to_ - from_) * from;
  inner.to_ = from_ + (to_ - from_) * to;
  if (!stage.empty()) inner.stage_ = stage;
  return inner;
}

}  // namespace sulcus
