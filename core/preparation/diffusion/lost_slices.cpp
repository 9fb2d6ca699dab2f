#include "core/preparation/diffusion/lost_slices.h"

#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::preparation {
namespace {

constexpr double kLeastLoss = 0.1, kDeviations = 5, kLeastShare = 0.06;

double medianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The share of the predicted signal of a slice that is present; negative if the slice holds too little to
/// tell.
double shareOfSignal(const Series<float>& series, const Series<float>& predicted, LostSlice at,
                     double bright) {
  const std::int64_t area = std::int64_t(series.grid.size.x) * series.grid.size.y;
  const float* const seen = series.volume(at.volume).data + at.slice * area;
  const float* const expected = predicted.volume(at.volume).data + at.slice * area;
  double seenSum = 0, expectedSum = 0;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < area; ++i) {
    if (!std::isfinite(seen[i]) || !std::isfinite(expected[i]) || expected[i] < bright) continue;
    seenSum += seen[i];
    expectedSum += expected[i];
    ++count;
  }
  return double(count) < kLeastShare * double(area) ? -1 : seenSum / expectedSum;
}

}  // namespace

double brightnessOf(VolumeView<const float> volume) {
  double limit = 0;
  for (int pass = 0; pass < 2; ++pass) {
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < volume.voxels(); ++i) {
      if (!(volume.data[i] > limit)) continue;
      sum += volume.data[i];
      ++count;
    }
    if (count > 0) limit = sum / double(count);
  }
  return 0.5 * limit;
}

std::vector<LostSlice> findLostSlices(const Series<float>& series, const Series<float>& predicted,
                                      std::span<const std::vector<int>> groups) {
  std::vector<LostSlice> lost;
  for (const std::vector<int>& group : groups) {
    std::vector<double> bright;
    for (const int v : group) bright.push_back(brightnessOf(predicted.volume(v)));
    std::vector<std::vector<double>> shares(std::size_t(series.grid.size.z));
    std::vector<double> deviations;
    for (int z = 0; z < series.grid.size.z; ++z) {
      std::vector<double>& here = shares[std::size_t(z)];
      for (std::size_t i = 0; i < group.size(); ++i)
        here.push_back(shareOfSignal(series, predicted, {group[i], z}, bright[i]));
      std::vector<double> told;
      std::copy_if(here.begin(), here.end(), std::back_inserter(told), [](double s) { return s >= 0; });
      const double middle = medianOf(told);
      for (double& share : here)
        if (share >= 0) {
          share -= middle;
          deviations.push_back(std::fabs(share));
        } else {
          share = 0;
        }
    }
    const double limit = std::max(kLeastLoss, kDeviations * kDeviationPerMedian * medianOf(deviations));
    for (std::size_t z = 0; z < shares.size(); ++z)
      for (std::size_t i = 0; i < group.size(); ++i)
        if (shares[z][i] < -limit) lost.push_back({group[i], int(z)});
  }
  std::sort(lost.begin(), lost.end());
  return lost;
}

}  // namespace sulcus::preparation
