#include "core/activation/design/unsteady_scans.h"

#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace sulcus::activation {
namespace {

constexpr double kFarShare = 0.03, kFarDeviations = 8;
constexpr int kFewestScans = 10;
constexpr std::int64_t kMostVoxels = 20000;  // for the mean of a scan

double meanOfScan(const Series<float>& bold, int scan) {
  const std::int64_t step = std::max<std::int64_t>(1, bold.grid.voxels() / kMostVoxels) | 1;
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t voxel = 0; voxel < bold.grid.voxels(); voxel += step) {
    if (const float value = bold.at(voxel, scan); std::isfinite(value)) {
      sum += value;
      ++count;
    }
  }
  return count > 0 ? sum / double(count) : 0;
}

}  // namespace

int brightScans(const Series<float>& bold, const Run& run, double& share) {
  if (run.scans() < kFewestScans) return 0;
  std::vector<double> means;
  for (int scan = run.begin; scan < run.end; ++scan) means.push_back(meanOfScan(bold, scan));
  std::vector<double> values = means;
  const double median = upperMedian(std::span(values));
  for (double& value : values) value = std::abs(value - median);
  const double far = std::max(kFarShare * std::abs(median),
                              kFarDeviations * kDeviationPerMedian * upperMedian(std::span(values)));
  int bright = 0;
  while (bright < run.scans() / 4 && means[bright] - median > far) ++bright;
  if (bright > 0) share = std::max(share, median > 0 ? means[0] / median - 1 : 0);
  return bright;
}

std::string unsteadyWarning(const Series<float>& bold, const Design& design) {
  if (bold.count != design.scans()) return {};
  const Eigen::MatrixXd q = thinQr(design.allColumns()).q;
  double share = 0;
  int unmarked = 0;
  for (const Run& run : design.runs()) {
    const int bright = brightScans(bold, run, share);
    for (int scan = run.begin; scan < run.begin + bright; ++scan) unmarked += !takesOut(q, scan);
  }
  if (unmarked == 0) return {};
  using Words = std::pair<const char*, const char*>;
  const auto [are, them] = unmarked == 1 ? Words{" is", "it"} : Words{" are", "them"};
  const std::string by = share > 0 ? text(" (by ", std::round(100 * share), " %)") : "";
  return text("Of the first scans, ", unmarked, are, " far brighter than all others", by,
              ", as before the steady state, and no column marks ", them,
              ": give a confound for each, 1 in that scan and 0 in the others (fMRIPrep's "
              "non_steady_state_outlier).");
}

}  // namespace sulcus::activation
