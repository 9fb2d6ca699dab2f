#include "core/fibers/peak_agreement.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace sulcus {
namespace {

constexpr double kAmplitudeTolerance = 0.1;  // percent
constexpr double kUnpairedAngle = 90;
constexpr std::size_t kWorstVoxels = 20;

std::vector<Vec3<double>> peaksAt(const Series<float>& image, std::int64_t voxel) {
  std::vector<Vec3<double>> peaks;
  for (int p = 0; 3 * p + 2 < image.count; ++p) {
    const Vec3<double> peak{image.at(voxel, 3 * p), image.at(voxel, 3 * p + 1), image.at(voxel, 3 * p + 2)};
    if (norm(peak) > 0) peaks.push_back(peak);  // false for NaN
  }
  return peaks;
}

/// Degrees, 0…90.
double angleBetween(const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(norm(cross(a, b)), std::abs(dot(a, b))) * 180 / std::numbers::pi;
}

struct Pair {
  double angle;
  std::size_t a, b;
};

/// One-to-one pairs, the closest first.
std::vector<Pair> paired(const std::vector<Vec3<double>>& a, const std::vector<Vec3<double>>& b) {
  std::vector<Pair> all, pairs;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) all.push_back({angleBetween(a[i], b[j]), i, j});
  std::stable_sort(all.begin(), all.end(), [](const Pair& p, const Pair& q) { return p.angle < q.angle; });
  for (const auto& pair : all)
    if (std::none_of(pairs.begin(), pairs.end(),
                     [&](const Pair& p) { return p.a == pair.a || p.b == pair.b; }))
      pairs.push_back(pair);
  return pairs;
}

/// Summary of `values`, with `missing` more that are not within the tolerance.
AgreementRow summary(std::string quantity, std::string unit, std::vector<double> values, double missing,
                     double tolerance, double shareNeeded) {
  AgreementRow row;
  row.quantity = std::move(quantity), row.unit = std::move(unit);
  row.tolerance = tolerance, row.shareNeeded = shareNeeded;
  row.compared = double(values.size()) + missing;
  row.shareWithin = row.compared == 0 ? 1 : 0;
  if (values.empty()) return row;
  std::sort(values.begin(), values.end());
  const auto within = std::upper_bound(values.begin(), values.end(), tolerance) - values.begin();
  row.shareWithin = double(within) / row.compared;
  for (const double value : values) row.mean += value / double(values.size());
  row.maximum = values.back();
  row.median = values[values.size() / 2];
  row.percentile95 = values[std::size_t(0.95 * double(values.size() - 1))];
  return row;
}

/// How many of `compared` voxels have the same number of peaks.
AgreementRow countRow(std::string quantity, double same, double compared, double shareNeeded) {
  AgreementRow row;
  row.quantity = std::move(quantity);
  row.shareWithin = compared == 0 ? 1 : same / compared;
  row.shareNeeded = shareNeeded;
  row.compared = compared;
  return row;
}

void checkGrids(const Series<float>& a, const Series<float>& b) {
  if (!sameGrid(a.grid, b.grid))
    throw Error("The two peak images lie on different grids: " + describeGrid(a.grid) + " and " +
                    describeGrid(b.grid),
                "their voxels do not correspond", "compare results of the same scan");
}

}  // namespace

Comparison comparePeaks(const Series<float>& a, const Series<float>& b, double toleranceDegrees) {
  checkGrids(a, b);
  Comparison result;
  Volume<float> difference(a.grid, NAN);
  std::vector<double> angles, amplitudes;
  double unpaired = 0, same = 0, voxels = 0;
  for (std::int64_t v = 0; v < a.grid.voxels(); ++v) {
    const auto peaksA = peaksAt(a, v), peaksB = peaksAt(b, v);
    if (peaksA.empty() && peaksB.empty()) continue;
    ++voxels;
    const auto pairs = paired(peaksA, peaksB);
    double worst = 0;
    for (const auto& pair : pairs) {
      angles.push_back(pair.angle);
      worst = std::max(worst, pair.angle);
      const double amplitudeA = norm(peaksA[pair.a]), amplitudeB = norm(peaksB[pair.b]);
      amplitudes.push_back(100 * std::abs(amplitudeA - amplitudeB) / std::max(amplitudeA, amplitudeB));
    }
    if (peaksA.size() == peaksB.size())
      ++same;
    else
      worst = kUnpairedAngle;
    unpaired += double(std::max(peaksA.size(), peaksB.size()) - pairs.size());
    difference.values[std::size_t(v)] = float(worst);
    if (worst > 0) result.worst.push_back({a.grid.voxel(v), worst});
  }
  std::stable_sort(result.worst.begin(), result.worst.end(),
                   [](const WorstVoxel& p, const WorstVoxel& q) { return p.difference > q.difference; });
  if (result.worst.size() > kWorstVoxels) result.worst.resize(kWorstVoxels);

  result.rows = {
      summary("peak direction", "°", std::move(angles), unpaired, toleranceDegrees, kPeakShareNeeded),
      summary("peak amplitude", "%", std::move(amplitudes), unpaired, kAmplitudeTolerance, kPeakShareNeeded),
      countRow("voxels with as many peaks", same, voxels, kPeakShareNeeded),
  };
  Layer layer;
  layer.name = "angle between the results";
  layer.unit = "°";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(difference)), {}, 0, {}};
  result.difference = std::move(layer);
  return result;
}

std::vector<AgreementRow> comparePeaksWithTruth(const Series<float>& peaks, const Series<float>& truth) {
  checkGrids(peaks, truth);
  struct Class {
    const char* name;
    double upTo;  // smallest angle between two of the voxel's fibers, degrees
    std::vector<double> errors{};
    double right = 0;
  };
  std::vector<Class> classes{{"one fiber", 0},
                             {"crossing below 45°", 45},
                             {"crossing 45–60°", 60},
                             {"crossing 60–75°", 75},
                             {"crossing 75–90°", 91}};
  for (std::int64_t v = 0; v < truth.grid.voxels(); ++v) {
    const auto fibers = peaksAt(truth, v);
    if (fibers.empty()) continue;
    double smallest = fibers.size() == 1 ? 0 : 90;
    for (std::size_t i = 0; i < fibers.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) smallest = std::min(smallest, angleBetween(fibers[i], fibers[j]));
    auto& group =
        *std::find_if(classes.begin(), classes.end(), [&](const Class& c) { return smallest <= c.upTo; });

    const auto found = peaksAt(peaks, v);
    const auto pairs = paired(found, fibers);
    double worst = pairs.size() < fibers.size() ? kUnpairedAngle : 0;
    for (const auto& pair : pairs) worst = std::max(worst, pair.angle);
    group.errors.push_back(worst);
    group.right += found.size() == fibers.size();
  }
  std::vector<AgreementRow> rows;
  for (auto& group : classes) {
    if (group.errors.empty()) continue;
    const double voxels = double(group.errors.size());
    rows.push_back(
        summary(std::string(group.name) + ": error of the worse", "°", std::move(group.errors), 0, 5, 0.5));
    rows.push_back(countRow(std::string(group.name) + ": right number", group.right, voxels, 0.95));
  }
  return rows;
}

}  // namespace sulcus
