#pragma once

#include "core/math/simd.h"

namespace sulcus::preparation {

/// The mean of values that may be NaN, added in order, for CPU and GPU.
class MeanOfSeen {
 public:
  SULCUS_HD_INLINE void add(float value) {
    if (!(value == value)) return;
    sum_ += double(value);
    ++count_;
  }
  /// NaN where there was none.
  SULCUS_HD_INLINE float mean() const {
    return count_ > 0 ? float(sum_ / double(count_)) : floatOf(0x7fc00000u);
  }

 private:
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace sulcus::preparation
