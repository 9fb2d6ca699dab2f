#include "core/registration/results/overlap_metrics.h"

#include "core/base/parallel/block_sums.h"
#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::registration {

RegistrationFit fitOf(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& region) {
  constexpr std::int64_t kBlock = 1 << 15;
  const auto [n, sumM, sumR] = blockSums<3>(std::int64_t(region.size()), kBlock, {},
                                            [&](std::int64_t begin, std::int64_t end, auto& sums) {
                                              for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
                                                if (!region[i]) continue;
                                                ++sums[0];
                                                sums[1] += moving[i];
                                                sums[2] += reference[i];
                                              }
                                            });
  if (n == 0) return {};
  const double meanM = sumM / n, meanR = sumR / n;
  const auto [mm, rr, mr, misfit] = blockSums<4>(
      std::int64_t(region.size()), kBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& sums) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
          if (region[i]) {
            const double m = moving[i] - meanM, r = reference[i] - meanR,
                         d = double(moving[i]) - reference[i];
            sums[0] += m * m;
            sums[1] += r * r;
            sums[2] += m * r;
            sums[3] += d * d;
          }
      });
  const auto varies = [n = n](double squares, double mean) {
    constexpr double kRounding = 2e-7;  // relative rounding error of floats
    return squares > n * kRounding * kRounding * mean * mean;
  };
  if (!varies(rr, meanR)) return {NAN, NAN};
  return {varies(mm, meanM) ? mr / std::sqrt(mm * rr) : NAN, misfit / rr};
}

namespace {

/// Replaces values by their ranks; equal ones get their mean rank.
void replaceByRanks(std::vector<float>& values) {
  std::vector<std::pair<float, std::uint32_t>> sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted[i] = {values[i], std::uint32_t(i)};
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    end = begin + 1;
    while (end < sorted.size() && sorted[end].first == sorted[begin].first) ++end;
    for (std::size_t i = begin; i < end; ++i) values[sorted[i].second] = 0.5f * float(begin + end);
  }
}

}  // namespace

double rankCorrelation(const std::vector<float>& moving, const std::vector<float>& reference,
                       const std::vector<std::uint8_t>& region) {
  constexpr std::size_t kEnough = 100'000;
  std::vector<std::size_t> voxels;
  for (std::size_t i = 0; i < region.size(); ++i)
    if (region[i]) voxels.push_back(i);
  const std::size_t step = voxels.size() / kEnough + 1;
  std::vector<float> m, r;
  for (std::size_t k = 0; k < voxels.size(); k += step) {
    m.push_back(moving[voxels[k]]);
    r.push_back(reference[voxels[k]]);
  }
  parallelInvoke({[&] { replaceByRanks(m); }, [&] { replaceByRanks(r); }});
  const double correlation = fitOf(m, r, std::vector<std::uint8_t>(m.size(), 1)).correlation;
  return std::isnan(correlation) ? 0 : correlation;
}

}  // namespace sulcus::registration
