#include "core/preparation/dvars.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::preparation {
namespace {

/// The spread of the changes of a voxel that is expected from noise with its s.d. and autocorrelation; 0 if
/// it does not change.
double expectedChange(std::vector<double> values) {
  double mean = 0, square = 0, product = 0;
  for (const double value : values) mean += value / double(values.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    square += (values[t] - mean) * (values[t] - mean);
    if (t > 0) product += (values[t] - mean) * (values[t - 1] - mean);
  }
  if (!(square > 0)) return 0;
  const double spread =
      (lowerQuantile(std::span(values), 0.75) - lowerQuantile(std::span(values), 0.25)) / 1.349;
  return std::sqrt(2 * (1 - product / square)) * spread;
}

double medianOfMask(const Series<float>& series, const std::vector<std::int64_t>& voxels) {
  std::vector<float> values;
  values.reserve(voxels.size() * std::size_t(series.count));
  for (int v = 0; v < series.count; ++v)
    for (const std::int64_t i : voxels) values.push_back(series.at(i, v));
  return upperMedian(std::span(values));
}

}  // namespace

Dvars dvarsOf(const Series<float>& series, const Mask& mask, const std::vector<activation::Run>& runs,
              const Progress& progress) {
  std::vector<std::int64_t> inside;
  for (std::int64_t i = 0; i < mask.grid.voxels(); ++i)
    if (mask.values[i]) inside.push_back(i);
  Dvars dvars{std::vector<double>(std::size_t(series.count)), std::vector<double>(std::size_t(series.count))};
  if (inside.empty()) return dvars;
  const double median = medianOfMask(series, inside), scale = median > 0 ? 1000 / median : 1;
  std::vector<double> expected(inside.size());
  parallelFor(std::ssize(inside), progress.part(0, 0.7, "dvars"), [&](std::int64_t i) {
    std::vector<double> values;
    for (int v = 0; v < series.count; ++v) values.push_back(series.at(inside[i], v));
    expected[i] = scale * expectedChange(std::move(values));
  });
  std::vector<std::int64_t> voxels;
  double sum = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (!(expected[i] > 0)) continue;
    voxels.push_back(inside[i]);
    sum += expected[i];
  }
  if (voxels.empty()) return dvars;
  const double usual = sum / double(voxels.size());
  for (const activation::Run& run : runs)
    parallelFor(run.scans() - 1, 1, progress.part(0.7, 1, "dvars"), [&](std::int64_t step) {
      const int v = run.begin + 1 + int(step);
      double squares = 0;
      for (const std::int64_t i : voxels) {
        const double change = scale * (double(series.at(i, v)) - double(series.at(i, v - 1)));
        squares += change * change;
      }
      dvars.plain[v] = std::sqrt(squares / double(voxels.size()));
      dvars.standardized[v] = dvars.plain[v] / usual;
    });
  return dvars;
}

}  // namespace sulcus::preparation
