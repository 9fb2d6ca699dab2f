#include "core/analysis/peak_agreement.h"

#include "core/analysis/agreement.h"
#include "core/base/error.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

namespace sulcus {
namespace {

constexpr double kAmplitudeTolerance = 0.1;  // percent
constexpr double kUnpairedAngle = 90;        // degrees, marks voxels with different numbers of peaks

constexpr std::int64_t kVoxelsPerUpdate = 4096;  // voxels between two checks of Progress, about a ms
constexpr int kMostPeaks = 64;                   // per voxel; further ones are ignored

/// The peaks of a voxel.
struct Peaks {
  std::array<Vec3<double>, kMostPeaks> all;
  int count = 0;

  Peaks(const Series<float>& image, std::int64_t voxel) {
    for (int p = 0; 3 * p + 2 < image.count && count < kMostPeaks; ++p) {
      const Vec3<double> peak{image.at(voxel, 3 * p), image.at(voxel, 3 * p + 1), image.at(voxel, 3 * p + 2)};
      if (const double length = norm(peak); length > 0 && std::isfinite(length))
        all[std::size_t(count++)] = peak;
    }
  }
  const Vec3<double>& operator[](int i) const { return all[std::size_t(i)]; }
};

/// The angle between two axes, degrees, 0…90.
double angleBetween(const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(norm(cross(a, b)), std::abs(dot(a, b))) * 180 / std::numbers::pi;
}

/// Peak a of one result and peak b of the other, and the angle between them in degrees.
struct Pair {
  double angle;
  int a, b;
};

/// Pairs the peaks one to one, the closest pair first; ties in the order of the peaks.
struct Pairs {
  std::array<Pair, kMostPeaks> all;
  int count = 0;

  Pairs(const Peaks& a, const Peaks& b) {
    std::uint64_t takenA = 0, takenB = 0;
    static_assert(kMostPeaks <= 64);
    while (count < std::min(a.count, b.count)) {
      Pair closest{1e9, 0, 0};
      for (int i = 0; i < a.count; ++i)
        for (int j = 0; j < b.count; ++j) {
          if (takenA >> i & 1 || takenB >> j & 1) continue;
          const double angle = angleBetween(a[i], b[j]);
          if (angle < closest.angle) closest = {angle, i, j};
        }
      takenA |= std::uint64_t(1) << closest.a;
      takenB |= std::uint64_t(1) << closest.b;
      all[std::size_t(count++)] = closest;
    }
  }
  const Pair* begin() const { return all.data(); }
  const Pair* end() const { return all.data() + count; }
};

void checkGrids(const Series<float>& a, const Series<float>& b) {
  requireComparable(a.grid, b.grid, "the same scan");
}

}  // namespace

Comparison comparePeaks(const Series<float>& a, const Series<float>& b, double toleranceDegrees,
                        const Progress& progress) {
  checkGrids(a, b);
  Comparison result;
  Volume<float> difference(a.grid, NAN);
  std::vector<double> angles, amplitudes;
  double unpaired = 0, same = 0, voxels = 0;
  for (std::int64_t v = 0; v < a.grid.voxels(); ++v) {
    if (v % kVoxelsPerUpdate == 0) progress.update(double(v) / double(a.grid.voxels()));
    const Peaks peaksA(a, v), peaksB(b, v);
    if (peaksA.count == 0 && peaksB.count == 0) continue;
    ++voxels;
    const Pairs pairs(peaksA, peaksB);
    double worst = 0;
    for (const auto& pair : pairs) {
      angles.push_back(pair.angle);
      worst = std::max(worst, pair.angle);
      const double amplitudeA = norm(peaksA[pair.a]), amplitudeB = norm(peaksB[pair.b]);
      amplitudes.push_back(100 * std::abs(amplitudeA - amplitudeB) / std::max(amplitudeA, amplitudeB));
    }
    if (peaksA.count == peaksB.count)
      ++same;
    else
      worst = kUnpairedAngle;
    unpaired += std::max(peaksA.count, peaksB.count) - pairs.count;
    difference.values[std::size_t(v)] = float(worst);
    const bool differs = peaksA.count != peaksB.count;
    const std::string counts = differs ? text(peaksA.count, " and ", peaksB.count, " fibers") : std::string();
    if (worst > 0) result.worst.push_back({a.grid.voxel(v), worst, std::nullopt, counts});
    if (result.worst.size() >= 1000) keepWorstVoxels(result.worst);
  }
  keepWorstVoxels(result.worst);

  result.rows = {
      summarized("direction of matched peaks", "°", std::move(angles), unpaired, toleranceDegrees,
                 kPeakShareNeeded),
      summarized("amplitude of matched peaks", "%", std::move(amplitudes), unpaired, kAmplitudeTolerance,
                 kPeakShareNeeded),
      shareRow("voxels with the same number of peaks", same, voxels, kPeakShareNeeded),
  };
  Layer layer;
  layer.name = "angle between the results";
  layer.unit = "°";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(difference)), {}, 0, {}};
  if (voxels > same)
    layer.notes.push_back(text("In ", voxels - same,
                               " voxels the numbers of peaks differ: they are shown as ", kUnpairedAngle,
                               "°."));
  result.difference = std::move(layer);
  return result;
}

std::vector<AgreementRow> comparePeaksWithTruth(const Series<float>& peaks, const Series<float>& truth,
                                                const Progress& progress) {
  checkGrids(peaks, truth);
  struct Class {
    const char* name;
    double upTo;  // smallest angle between two of the voxel's fibers, degrees
    std::vector<double> errors{};
    double missing = 0, right = 0;  // voxels
  };
  std::vector<Class> classes{{"one fiber", 0},
                             {"crossing below 45°", 45},
                             {"crossing 45–60°", 60},
                             {"crossing 60–75°", 75},
                             {"crossing 75–90°", 91}};
  for (std::int64_t v = 0; v < truth.grid.voxels(); ++v) {
    if (v % kVoxelsPerUpdate == 0) progress.update(double(v) / double(truth.grid.voxels()));
    const Peaks fibers(truth, v);
    if (fibers.count == 0) continue;
    double smallest = fibers.count == 1 ? 0 : 90;
    for (int i = 0; i < fibers.count; ++i)
      for (int j = 0; j < i; ++j) smallest = std::min(smallest, angleBetween(fibers[i], fibers[j]));
    auto& group =
        *std::find_if(classes.begin(), classes.end(), [&](const Class& c) { return smallest <= c.upTo; });

    const Peaks found(peaks, v);
    const Pairs pairs(found, fibers);
    if (pairs.count < fibers.count)
      ++group.missing;
    else
      group.errors.push_back(std::ranges::max_element(pairs, {}, &Pair::angle)->angle);
    group.right += found.count == fibers.count;
  }
  std::vector<AgreementRow> rows;
  for (auto& group : classes) {
    const double voxels = double(group.errors.size()) + group.missing;
    if (voxels == 0) continue;
    rows.push_back(summarized(std::string(group.name) + ": error of the worse", "°", std::move(group.errors),
                              group.missing, 5, 0.5));
    rows.push_back(shareRow(std::string(group.name) + ": right number", group.right, voxels, 0.95));
  }
  return rows;
}

}  // namespace sulcus
