#include "core/preparation/diffusion/lost_slices.h"

#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sulcus::preparation {
namespace {

constexpr double kLeastLoss = 0.1, kDeviations = 5, kLeastShare = 0.06;

double medianOrZero(std::vector<double>& values) {
  return values.empty() ? 0 : upperMedian(std::span(values));
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

/// By how much the present share of the signal of a slice differs from its median over the volumes of a
/// group; NaN where the slice holds too little to tell.
std::vector<double> deviationsOf(const Series<float>& series, const Series<float>& predicted,
                                 const std::vector<int>& group, const std::vector<double>& bright,
                                 int slice) {
  std::vector<double> shares, known;
  for (std::size_t i = 0; i < group.size(); ++i)
    shares.push_back(shareOfSignal(series, predicted, {group[i], slice}, bright[i]));
  std::ranges::copy_if(shares, std::back_inserter(known), [](double share) { return share >= 0; });
  const double middle = medianOrZero(known);
  for (double& share : shares) share = share >= 0 ? share - middle : NAN;
  return shares;
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
    std::vector<std::vector<double>> deviations;  // of each slice
    std::vector<double> sizes;
    for (int z = 0; z < series.grid.size.z; ++z) {
      deviations.push_back(deviationsOf(series, predicted, group, bright, z));
      for (const double one : deviations.back()) sizes.push_back(std::fabs(one));
    }
    std::erase_if(sizes, [](double size) { return std::isnan(size); });
    const double limit = std::max(kLeastLoss, kDeviations * kDeviationPerMedian * medianOrZero(sizes));
    for (std::size_t z = 0; z < deviations.size(); ++z)
      for (std::size_t i = 0; i < group.size(); ++i)
        if (deviations[z][i] < -limit) lost.push_back({group[i], int(z)});
  }
  std::sort(lost.begin(), lost.end());
  return lost;
}

}  // namespace sulcus::preparation
