#pragma once

#include <span>

namespace sulcus {

/// interpolatedQuantile() of at least one finite value, on all threads of the withThreads() scope. `values`
/// stay as they are.
double parallelQuantile(std::span<const float> values, double q);

}  // namespace sulcus
