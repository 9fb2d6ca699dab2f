#include "core/preparation/diffusion/eddy_currents.h"

#include "core/math/linear_algebra.h"
#include "core/preparation/motion_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::preparation {
namespace {

constexpr int kSteps = 3;
constexpr int kFitted = kUnknowns + kEddyTerms;
constexpr int kTogether = 512;  // samples whose products are added at once
// Arrays of MotionReference::samples, after those of the position.
constexpr int kSlopes = 3, kValue = kSlopes + kUnknowns - 1, kWeight = kValue + 1;

/// The sums of a step: normal matrix and right side.
struct EddySums {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(kFitted, kFitted);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(kFitted);
};

/// Rows of the slopes of samples by the unknowns, with their differences.
class SlopeBlock {
 public:
  /// @return  the row of the next sample, to be filled
  auto row() { return slopes_.row(count_); }
  void add(double weight, double difference, EddySums& sums) {
    weights_(count_) = weight;
    differences_(count_) = difference;
    if (++count_ == kTogether) flush(sums);
  }
  void flush(EddySums& sums) {
    const Eigen::MatrixXd weighted = weights_.head(count_).asDiagonal() * slopes_.topRows(count_);
    sums.matrix += weighted.transpose() * slopes_.topRows(count_);
    sums.right += weighted.transpose() * differences_.head(count_);
    count_ = 0;
  }

 private:
  Eigen::MatrixXd slopes_{kTogether, kFitted};
  Eigen::VectorXd weights_{kTogether}, differences_{kTogether};
  Eigen::Index count_ = 0;
};

EddySums sumsAt(const VolumePose& pose, const MotionReference& reference, std::span<const float> smooth,
                const EddyFrame& frame, const EddyTerms& terms) {
  ComparedVolume compared = comparedAt(pose, reference);
  compared.image.coefficients = smooth.data();
  compared.map = voxelMapOf({}, reference.grid);
  const Affine voxelFromWorld = reference.grid.worldFromVoxel.inverse();
  const Affine& place = pose.volumeFromReference;
  const Vec3<double> alongAtRest = place.inverse().vector(frame.along);
  EddySums sums;
  SlopeBlock block;
  for (std::int64_t i = 0; i < reference.real; ++i) {
    const auto of = [&](int array) { return double(reference.array(array)[i]); };
    const Vec3<double> position = place.point(reference.grid.worldFromVoxel.point({of(0), of(1), of(2)}));
    const Vec3<double> at = voxelFromWorld.point(position + frame.shift(terms, position) * frame.along);
    float inView = 0;
    const double seen = valueAtSample(compared, {float(at.x), float(at.y), float(at.z)}, inView);
    if (inView == 0) continue;
    const double width = frame.width(terms, position);
    const auto difference = differenceOf<float>(float(width * seen), float(of(kValue)), float(of(kWeight)),
                                                inView, compared.gain, compared.robust);
    auto row = block.row();
    for (int k = 0; k < kUnknowns; ++k) row(k) = of(kSlopes + k);
    const double alongSlope = dot(alongAtRest, Vec3<double>{of(kSlopes), of(kSlopes + 1), of(kSlopes + 2)});
    const EddyTerms basis = frame.basis(position);
    const EddyTerms widths = frame.widths(position);
    for (std::size_t k = 0; k < kEddyTerms; ++k)
      row(kUnknowns + Eigen::Index(k)) = alongSlope * basis[k] + of(kValue) * widths[k];
    block.add(difference.weighed, difference.difference, sums);
  }
  block.flush(sums);
  return sums;
}

}  // namespace

std::vector<std::string> eddyNames() {
  return {"eddy_x", "eddy_y", "eddy_z", "eddy_xx", "eddy_yy", "eddy_zz", "eddy_xy", "eddy_xz", "eddy_yz"};
}

bool isZero(const EddyTerms& terms) {
  return std::ranges::all_of(terms, [](double term) { return term == 0; });
}

EddyFrame::EddyFrame(const Grid& grid, int phaseAxis)
    : axis(phaseAxis), center(grid.center()), spacing(grid.spacing()[phaseAxis]) {
  along = (1 / spacing) * grid.worldFromVoxel.column(phaseAxis);
}

EddyTerms EddyFrame::basis(const Vec3<double>& position) const {
  const Vec3<double> p = (1 / kHeadRadius) * (position - center);
  return {p.x, p.y, p.z, p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
}

double EddyFrame::shift(const EddyTerms& terms, const Vec3<double>& position) const {
  const EddyTerms of = basis(position);
  double sum = 0;
  for (std::size_t k = 0; k < of.size(); ++k) sum += terms[k] * of[k];
  return sum;
}

EddyTerms EddyFrame::widths(const Vec3<double>& position) const {
  const Vec3<double> p = (1 / kHeadRadius) * (position - center), a = (1 / kHeadRadius) * along;
  return {a.x,
          a.y,
          a.z,
          2 * p.x * a.x,
          2 * p.y * a.y,
          2 * p.z * a.z,
          p.y * a.x + p.x * a.y,
          p.z * a.x + p.x * a.z,
          p.z * a.y + p.y * a.z};
}

double EddyFrame::width(const EddyTerms& terms, const Vec3<double>& position) const {
  const EddyTerms of = widths(position);
  double sum = 1;
  for (std::size_t k = 0; k < of.size(); ++k) sum += terms[k] * of[k];
  return std::max(0.0, sum);
}

Unwarp eddyUnwarp(const EddyTerms& terms, const EddyFrame& frame, const Affine& volumeFromReference,
                  const Grid& grid, const Unwarp* field) {
  Unwarp unwarp;
  unwarp.axis = frame.axis;
  unwarp.shift.resize(grid.voxels());
  unwarp.width.resize(grid.voxels());
  const Affine volumeFromVoxel = volumeFromReference * grid.worldFromVoxel;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> position = volumeFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    const auto at = std::size_t(i);
    unwarp.shift[at] = float(frame.shift(terms, position) / frame.spacing + (field ? field->shift[at] : 0));
    unwarp.width[at] = float(frame.width(terms, position) * (field ? field->width[at] : 1));
  }
  return unwarp;
}

double displacementOf(const EddyTerms& terms) {
  double most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double even = terms[kLinearEddyTerms + axis], odd = terms[axis];
    most = std::max({most, std::abs(even + odd), std::abs(even - odd)});
  }
  return most;
}

FittedTerms fittedTerms(const VolumePose& start, const MotionReference& reference,
                        std::span<const float> smooth, const EddyFrame& frame, const EddyTerms& terms) {
  FittedTerms fitted{terms};
  VolumePose pose = start;
  for (int step = 0; step < kSteps; ++step) {
    const EddySums sums = sumsAt(pose, reference, smooth, frame, fitted.terms);
    const auto solved = solveStep(sums.matrix, sums.right);
    if (!solved) return {terms};
    const double perGain = scaleOfSteps(pose);
    movePose(pose, {solved->step.data(), kUnknowns}, reference.grid.center());
    for (int k = 0; k < kEddyTerms; ++k) fitted.terms[k] -= perGain * solved->step(kUnknowns + k);
    const auto ofOthers = sums.matrix.topLeftCorner(kUnknowns, kUnknowns);
    const Eigen::MatrixXd shared = sums.matrix.topRightCorner(kUnknowns, kEddyTerms);
    fitted.precision = sums.matrix.bottomRightCorner(kEddyTerms, kEddyTerms) -
                       shared.transpose() * solvePositiveDefinite(ofOthers, shared);
    fitted.precision /= perGain * perGain * pose.sigma * pose.sigma;
  }
  return fitted;
}

}  // namespace sulcus::preparation
