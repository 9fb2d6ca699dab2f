#include "core/preparation/slice_interpolation.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/value_check.h"
#include "core/registration/preparation/cubic_spline_kernel.h"

#include <algorithm>

namespace sulcus::preparation {
namespace {

/// Replaces the values of a run by those `shift` volumes later.
void shiftInTime(std::span<float> values, double shift) {
  if (!std::ranges::all_of(values, [](float value) { return isSound(value); })) return;
  std::vector<float> coefficients(values.begin(), values.end());
  const int n = int(coefficients.size());
  registration::takeSplineCoefficients(coefficients.data(), n, 1);
  for (int v = 0; v < n; ++v) {
    const auto taps = registration::splineTaps<int>(v + shift, n, 1);
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += taps.w[k] * coefficients[taps.at[k]];
    values[v] = sum;
  }
}

}  // namespace

double middleOf(std::span<const double> sliceTimes) {
  if (sliceTimes.empty()) return 0;
  const auto [first, last] = std::ranges::minmax(sliceTimes);
  return 0.5 * (first + last);
}

Series<float> interpolatedSlices(const Series<float>& series, const std::vector<activation::Run>& runs,
                                 const SliceTimes& times, const Progress& progress) {
  Series<float> result = series;
  const std::int64_t rows = std::int64_t(series.grid.size.y) * series.grid.size.z, width = series.grid.size.x;
  parallelFor(rows, 8, progress, [&](std::int64_t row) {
    const auto slice = std::size_t(row / series.grid.size.y);
    std::vector<float> values;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::vector<double>& ofRun = times.ofRuns[r];
      const double shift = (middleOf(ofRun) - ofRun[slice]) / times.secondsPerVolume;
      if (shift == 0) continue;
      values.resize(runs[r].scans());
      for (std::int64_t i = row * width; i < (row + 1) * width; ++i) {
        for (int v = 0; v < runs[r].scans(); ++v) values[v] = series.at(i, runs[r].begin + v);
        shiftInTime(values, shift);
        for (int v = 0; v < runs[r].scans(); ++v) result.at(i, runs[r].begin + v) = values[v];
      }
    }
  });
  return result;
}

}  // namespace sulcus::preparation
