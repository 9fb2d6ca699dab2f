#include "core/fibers/models/missing_values.h"

#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/fiber_choice.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <vector>

#include <Eigen/Core>

namespace sulcus::fibers {
namespace {

constexpr std::int64_t kVoxelsPerFill = 1024;
constexpr double kSmoothing = 0.006;     // Laplace–Beltrami, as for qball
constexpr double kRidge = 1e-6;          // of the fit of all shells, whose unknowns have no common scale
constexpr std::size_t kFewVolumes = 12;  // of a shell: in smaller shells, most values being 0 means little
constexpr int kTensor = 7, kWithFourthOrder = 22;  // numbers of unknowns of that fit

/// The volumes of a shell that are 0 in a voxel, and the others.
struct Pattern {
  std::vector<int> missing, present;
};

Pattern patternOf(const Series<float>& dwi, std::int64_t voxel, std::span<const int> volumes) {
  Pattern pattern;
  for (const int v : volumes) (dwi.at(voxel, v) == 0 ? pattern.missing : pattern.present).push_back(v);
  return pattern;
}

/// The matrix (missing × present) that predicts the missing values of a shell; empty if the others do not
/// determine order 2.
Eigen::MatrixXd prediction(const GradientTable& table, const Pattern& pattern) {
  int order = kUsualOrder;
  while (order > 0 && tensorEntries(order) > int(pattern.present.size())) order -= 2;
  if (order == 0) return {};
  const Eigen::MatrixXd harmonics = shMatrix(order, directionsOf(table, pattern.present));
  Eigen::MatrixXd normal = harmonics.transpose() * harmonics;
  normal.diagonal() +=
      perDegree(order, [](int l) { return kSmoothing * double(l * (l + 1)) * (l * (l + 1)); });
  return shMatrix(order, directionsOf(table, pattern.missing)) *
         solvePositiveDefinite(normal, Eigen::MatrixXd(harmonics.transpose()));
}

/// Rows 1, −b gg, b² gggg of volumes; b in ms/µm².
Eigen::MatrixXd cumulants(const GradientTable& table, std::span<const int> volumes, int unknowns) {
  const auto directions = directionsOf(table, {volumes.begin(), volumes.end()});
  Eigen::MatrixXd rows(std::ssize(volumes), unknowns);
  const Eigen::MatrixXd second = shMatrix(2, directions), fourth = shMatrix(4, directions);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double b = table.rows[volumes[i]].b / 1000;
    rows(i, 0) = 1;
    rows.row(i).segment(1, 6) = -b * second.row(i);
    if (unknowns > kTensor) rows.row(i).tail(15) = b * b * fourth.row(i);
  }
  return rows;
}

/// Predicts missing values from all others of a voxel; values are weighted by their squares, as appropriate
/// for the noise of their logarithms.
void fillByAll(Series<float>& dwi, const GradientTable& table, std::int64_t voxel,
               std::span<const int> missing, std::span<const int> present) {
  const int unknowns = int(present.size()) >= 2 * kWithFourthOrder ? kWithFourthOrder : kTensor;
  if (int(present.size()) < kTensor) return;
  Eigen::MatrixXd rows = cumulants(table, present, unknowns);
  Eigen::VectorXd logs(rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double value = std::max(dwi.at(voxel, present[i]), 1e-6f);
    logs[i] = value * std::log(value);
    rows.row(i) *= value;
  }
  Eigen::MatrixXd normal = rows.transpose() * rows;
  normal.diagonal().array() += kRidge * normal(0, 0);
  const Eigen::VectorXd x = solvePositiveDefinite(normal, Eigen::VectorXd(rows.transpose() * logs));
  const Eigen::VectorXd predicted = cumulants(table, missing, unknowns) * x;
  float largest = 0;
  for (const int v : present) largest = std::max(largest, dwi.at(voxel, v));
  for (std::size_t i = 0; i < missing.size(); ++i)
    dwi.at(voxel, missing[i]) = std::min(float(std::exp(predicted[Eigen::Index(i)])), largest);
}

/// Counts of what is found and done in voxels.
struct Counts {
  std::atomic<std::int64_t> voxels{0}, values{0}, dark{0};
};

bool hasMissing(const Series<float>& dwi, std::span<const int> unweighted, std::span<const Shell> shells,
                std::int64_t voxel) {
  const auto isZero = [&](int v) { return dwi.at(voxel, v) == 0; };
  return std::ranges::any_of(unweighted, isZero) ||
         std::ranges::any_of(shells, [&](const Shell& s) { return std::ranges::any_of(s.volumes, isZero); });
}

/// What was done in a voxel.
struct FilledVoxel {
  std::int64_t values = 0;
  bool isDark = false;  ///< more than half of a shell, or all that predicts a value, is 0
};

/// Fills the missing values of voxels, one after the other.
class VoxelFiller {
 public:
  VoxelFiller(const Series<float>& dwi, const GradientTable& table, Series<float>& filled)
      : dwi_(dwi), table_(table), filled_(filled) {}

  FilledVoxel fill(std::int64_t voxel, std::span<const int> unweighted, std::span<const Shell> shells) {
    FilledVoxel done;
    const Pattern atRest = patternOf(dwi_, voxel, unweighted);
    fillByMean(voxel, atRest);
    done.values += std::int64_t(atRest.missing.size());
    std::vector<int> present = atRest.present, left;  // to be filled from all volumes
    for (const auto& shell : shells) {
      const Pattern pattern = patternOf(dwi_, voxel, shell.volumes);
      present.insert(present.end(), pattern.present.begin(), pattern.present.end());
      if (pattern.missing.empty()) continue;
      const bool isFew = shell.volumes.size() < kFewVolumes;
      if (!isFew && 2 * pattern.missing.size() > shell.volumes.size())
        done.isDark = true;
      else if (fillByShell(voxel, pattern))
        done.values += std::int64_t(pattern.missing.size());
      else
        left.insert(left.end(), pattern.missing.begin(), pattern.missing.end());
    }
    if (left.empty()) return done;
    if (left.size() < present.size()) {
      fillByAll(filled_, table_, voxel, left, present);
      done.values += std::int64_t(left.size());
    } else {
      done.isDark = true;
    }
    return done;
  }

 private:
  void fillByMean(std::int64_t voxel, const Pattern& pattern) {
    double mean = 0;
    for (const int v : pattern.present) mean += double(dwi_.at(voxel, v)) / double(pattern.present.size());
    for (const int v : pattern.missing) filled_.at(voxel, v) = float(mean);
  }

  /// Returns whether the other volumes of the shell predict the missing ones.
  bool fillByShell(std::int64_t voxel, const Pattern& pattern) {
    const auto [known, isNew] = predictions_.try_emplace(pattern.missing);
    if (isNew) known->second = prediction(table_, pattern);
    if (known->second.size() == 0) return false;
    Eigen::VectorXd signal(std::ssize(pattern.present));
    for (Eigen::Index j = 0; j < signal.size(); ++j) signal[j] = dwi_.at(voxel, pattern.present[j]);
    const Eigen::VectorXd predicted = known->second * signal;
    for (std::size_t j = 0; j < pattern.missing.size(); ++j)
      filled_.at(voxel, pattern.missing[j]) = float(std::max(0.0, predicted[Eigen::Index(j)]));
    return true;
  }

  const Series<float>& dwi_;
  const GradientTable& table_;
  Series<float>& filled_;
  std::map<std::vector<int>, Eigen::MatrixXd> predictions_;  // by what is missing: neighbors lack the same
};

}  // namespace

bool mayLackValues(const Series<float>& dwi, const Mask* mask) {
  std::atomic<bool> found = false;
  parallelForBlocks(dwi.grid.voxels(), kVoxelsPerFill, {}, [&](std::int64_t begin, std::int64_t end) {
    if (found) return;
    std::vector<int> zeros(end - begin);
    for (int v = 0; v < dwi.count; ++v)
      for (std::int64_t i = begin; i < end; ++i) zeros[i - begin] += dwi.at(i, v) == 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const int some = zeros[i - begin];
      if (some > 0 && some < dwi.count && (!mask || mask->values[i])) found = true;
    }
  });
  return found;
}

FilledSeries fillMissing(const Series<float>& dwi, const GradientTable& table,
                         std::span<const int> unweighted, std::span<const Shell> shells,
                         std::span<const std::int64_t> voxels, const Progress& progress) {
  const auto count = std::int64_t(voxels.size());
  std::vector<std::uint8_t> concerned(voxels.size(), 0);
  parallelForBlocks(count, kVoxelsPerFill, progress.part(0, 0.5, {}),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i)
                        concerned[i] = hasMissing(dwi, unweighted, shells, voxels[i]);
                    });
  if (std::ranges::count(concerned, std::uint8_t(1)) == 0) return {};

  const auto filled = std::make_shared<Series<float>>(dwi);
  Counts counts;
  parallelForBlocks(count, kVoxelsPerFill, progress.part(0.5, 1, {}),
                    [&](std::int64_t begin, std::int64_t end) {
                      VoxelFiller filler(dwi, table, *filled);
                      for (std::int64_t i = begin; i < end; ++i) {
                        if (!concerned[i]) continue;
                        const std::int64_t voxel = voxels[i];
                        const FilledVoxel done = filler.fill(voxel, unweighted, shells);
                        counts.values += done.values;
                        counts.voxels += done.values > 0;
                        counts.dark += done.isDark;
                      }
                    });
  FilledSeries result;
  if (counts.values > 0) {
    result.dwi = filled;
    result.note = text(
        counts.voxels.load(), " voxels with signal are exactly 0 in some volumes (", counts.values.load(),
        " values): these count as missing and were replaced by what the other volumes predict.");
  }
  if (counts.dark > 0)
    result.note +=
        text(result.note.empty() ? "" : " ", counts.dark.load(),
             " voxels are exactly 0 in more than half of their volumes and were taken as they are.");
  return result;
}

}  // namespace sulcus::fibers
