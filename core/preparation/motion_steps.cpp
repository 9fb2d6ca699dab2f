#include "core/preparation/motion_steps.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace sulcus::preparation {
namespace {

constexpr double kWidth = 2.5;            ///< c of the weights
constexpr double kOfNormal = 0.66807124;  ///< Σwr²/Σw σ² of normal differences with that c
constexpr double kLeastSigma = 1e-4;      ///< of the brightness
constexpr double kOfNeighbors = 2;  ///< by this factor correlated noise of neighbors moves the head further
constexpr double kFlat = 1e-5;  ///< slopes below this share of the largest value, per mm, are rounding errors
constexpr double kSettled = 0.05;  ///< σ has converged if it changes by less than this share

/// The spline with these coefficients at a voxel, and its slope along each axis per voxel.
struct ValueAndSlope {
  double value = 0;
  Vec3<double> slope{};
};

/// @param voxel  not at the border
ValueAndSlope splineAtVoxel(VolumeView<const float> image, const Vec3<int>& voxel) {
  constexpr double value[3] = {1 / 6.0, 4 / 6.0, 1 / 6.0}, slope[3] = {-0.5, 0, 0.5};
  ValueAndSlope found;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const double c = image(voxel.x + i - 1, voxel.y + j - 1, voxel.z + k - 1);
        found.value += value[i] * value[j] * value[k] * c;
        found.slope.x += slope[i] * value[j] * value[k] * c;
        found.slope.y += value[i] * slope[j] * value[k] * c;
        found.slope.z += value[i] * value[j] * slope[k] * c;
      }
  return found;
}

struct ReferenceSample {
  Vec3<int> voxel;
  double value;
  Vec3<double> slope;  ///< per mm
  double weight;
};

/// The samples of a level, flat ones included.
std::vector<ReferenceSample> samplesOf(const Volume<float>& smooth, int step,
                                       std::span<const float> weights) {
  const Grid& grid = smooth.grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  std::vector<ReferenceSample> samples;
  for (int z = 1; z < grid.size.z - 1; z += step)
    for (int y = 1; y < grid.size.y - 1; y += step)
      for (int x = 1; x < grid.size.x - 1; x += step) {
        const auto [value, slope] = splineAtVoxel(smooth.view(), {x, y, z});
        Vec3<double> perMm;
        for (int i = 0; i < 3; ++i) perMm[i] = dot(slope, voxelFromWorld.column(i));
        const double weight = weights.empty() ? 1 : weights[grid.index(x, y, z)];
        samples.push_back({{x, y, z}, value, perMm, weight});
      }
  return samples;
}

/// The weighted squares of the slopes; 0 where they are rounding errors.
std::vector<double> steepnessOf(const std::vector<ReferenceSample>& samples) {
  double largest = 0;
  for (const ReferenceSample& sample : samples) largest = std::max(largest, std::abs(sample.value));
  const double flat = kFlat * largest * kFlat * largest;
  std::vector<double> steepness;
  for (const ReferenceSample& sample : samples) {
    const double square = dot(sample.slope, sample.slope);
    steepness.push_back(square > flat ? sample.weight * square : 0);
  }
  return steepness;
}

}  // namespace

SmoothingWeights smoothingWeightsOf(double sigma) {
  SmoothingWeights weights{};
  weights.radius = std::min(SmoothingWeights::kMostRadius, int(std::ceil(3.5 * sigma)));
  double sum = 0;
  const auto gauss = [&](int k) { return std::exp(-0.5 * k * k / (sigma * sigma)); };
  for (int k = -weights.radius; k <= weights.radius; ++k) sum += gauss(k);
  for (int k = 0; k <= weights.radius; ++k) weights.w[k] = float(gauss(k) / sum);
  return weights;
}

MotionReference makeReference(const Volume<float>& smooth, const MotionLevel& level,
                              std::span<const float> weights) {
  const Grid& grid = smooth.grid;
  const std::vector<ReferenceSample> found = samplesOf(smooth, level.step, weights);
  const std::vector<double> steepness = steepnessOf(found);
  std::vector<double> sorted = steepness;
  const auto kept = std::ptrdiff_t(double(sorted.size()) * (1 - level.steepestShare));
  std::nth_element(sorted.begin(), sorted.begin() + kept, sorted.end());
  const double least = sorted[kept];

  MotionReference reference;
  reference.grid = grid;
  for (const double one : steepness) reference.real += one >= least && one > 0;
  reference.count = (reference.real + kSamplesPerChunk - 1) / kSamplesPerChunk * kSamplesPerChunk;
  if (reference.real == 0)
    throw Error("The series has no contrast", "volumes are realigned by their contrast",
                "give a functional series of a head");
  reference.samples.assign(kSampleArrays * reference.count, 0);
  const Vec3<double> center = grid.center();
  std::int64_t at = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!(steepness[i] >= least && steepness[i] > 0)) continue;
    const auto& [voxel, value, slope, weight] = found[i];
    const Vec3<double> arm = grid.positionOf(voxel) - center;
    const Vec3<double> turned = cross(arm, slope);
    const double values[kSampleArrays] = {double(voxel.x), double(voxel.y), double(voxel.z), slope.x,
                                          slope.y,         slope.z,         turned.x,        turned.y,
                                          turned.z,        value,           weight};
    for (int k = 0; k < kSampleArrays; ++k) reference.samples[k * reference.count + at] = float(values[k]);
    reference.brightness += std::abs(value) / double(reference.real);
    ++at;
  }
  // Positions that are not a number are outside every view.
  std::fill(reference.samples.begin() + at, reference.samples.begin() + reference.count,
            std::numeric_limits<float>::quiet_NaN());
  return reference;
}

VolumeFromReference voxelMapOf(const VolumePose& pose, const Grid& grid) {
  const Affine map = grid.worldFromVoxel.inverse() * pose.volumeFromReference * grid.worldFromVoxel;
  VolumeFromReference voxels{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) voxels.rows[i][j] = float(map.m[i][j]);
    voxels.rows[i][3] = float(map.t[int(i)]);
  }
  return voxels;
}

ComparedVolume comparedAt(const VolumePose& pose, const MotionReference& reference) {
  ComparedVolume compared{};
  compared.image.size = reference.grid.size;
  compared.image.low = -std::numeric_limits<float>::infinity();
  compared.image.high = std::numeric_limits<float>::infinity();
  compared.map = voxelMapOf(pose, reference.grid);
  compared.gain = float(pose.gain);
  const double width = kWidth * pose.sigma;
  compared.robust = pose.sigma > 0 ? float(1 / (width * width)) : 0;
  return compared;
}

double scaleOfSteps(const VolumePose& pose) { return 1 / std::max(0.1, std::abs(pose.gain)); }

std::optional<SolvedStep> solveStep(const Eigen::MatrixXd& normal, const Eigen::VectorXd& right) {
  Eigen::VectorXd scale(normal.rows());
  for (Eigen::Index i = 0; i < scale.size(); ++i)
    scale(i) = normal(i, i) > 0 ? 1 / std::sqrt(normal(i, i)) : 0;
  Eigen::MatrixXd scaled = scale.asDiagonal() * normal * scale.asDiagonal();
  const LeastSquares solved = solveLeastSquares(scaled, scale.asDiagonal() * right);
  if (solved.rank < scale.size() || !solved.solution.allFinite()) return {};
  return SolvedStep{scale.asDiagonal() * solved.solution, scale, std::move(scaled)};
}

Motion movePose(VolumePose& pose, std::span<const double> step, const Vec3<double>& center) {
  const double perGain = scaleOfSteps(pose);
  const Motion moved{{perGain * step[0], perGain * step[1], perGain * step[2]},
                     {perGain * step[3], perGain * step[4], perGain * step[5]}};
  pose.volumeFromReference = pose.volumeFromReference * volumeFromRest(moved, center).inverse();
  pose.gain += step[6];
  return moved;
}

void takeStep(VolumePose& pose, const StepSums& sums, const MotionReference& reference,
              const MotionLevel& level) {
  Eigen::MatrixXd a(kUnknowns, kUnknowns);
  Eigen::VectorXd b(kUnknowns);
  const double* sum = sums.data();
  for (int i = 0; i < kUnknowns; ++i)
    for (int j = 0; j <= i; ++j) a(i, j) = a(j, i) = *sum++;
  for (int i = 0; i < kUnknowns; ++i) b(i) = *sum++;
  const double weight = sum[0], squares = sum[1];
  ++pose.steps;
  pose.overlap = sum[2] / double(reference.real);
  const auto solved = solveStep(a, b);
  if (!solved || !(weight > 0)) {
    pose.done = true;
    return;
  }
  const double perGain = scaleOfSteps(pose);
  const Motion moved = movePose(pose, {solved->step.data(), kUnknowns}, reference.grid.center());
  const double ofNormal = pose.sigma > 0 ? kOfNormal : 1;
  const double sigma =
      std::max(kLeastSigma * reference.brightness, std::sqrt(std::max(0.0, squares) / (ofNormal * weight)));
  const bool settled = std::abs(sigma - pose.sigma) <= kSettled * pose.sigma;
  pose.sigma = sigma;
  pose.done = (settled && displacementOf(moved) <= level.lastStep) || pose.steps >= kMostSteps;
  if (!pose.done) return;
  const Eigen::VectorXd variances =
      solved->scale.cwiseAbs2().cwiseProduct(inverse(solved->scaled).diagonal());
  const auto spread = [&](int first) {
    return perGain * sigma * kOfNeighbors * std::sqrt(variances.segment(first, 3).sum());
  };
  pose.noiseMotion = spread(0) + kHeadRadius * spread(3);
}

}  // namespace sulcus::preparation
