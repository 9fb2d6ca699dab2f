#include "core/activation/sampler/hyper_fit.h"

#include "core/activation/model/correlated_kernel.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sulcus::activation {
namespace {

constexpr std::int64_t kFewestVoxels = 1000;  // of a group
constexpr std::int64_t kBlock = 512;          // voxels whose sums are added together
constexpr std::int64_t kFirstSubset = 1024, kSubset = 4096, kLastSubset = 12288;  // voxels
constexpr int kFirstSteps = 20, kSteps = 6, kHalvings = 8;
constexpr double kFirstSettled = 1e-3, kSettled = 1e-2;  // squared length of the last step, in s.d.
constexpr double kDifference = 1e-3;                     // of θ, relative to the spread of the effects
constexpr double kLargestStep = 1;                       // of the logarithm of a spread
constexpr std::uint32_t kIteration = 0xffffff00u;  // for the random numbers of σ²; not reached by any chain
constexpr int kMostCoordinates = 60;               // each requires two passes over a subset in every step
constexpr int kVarianceDraws = 3, kModes = 4;

/// Calls f(row, column) for each element of the lower triangle F, row by row, ending with the diagonal.
template <class F>
void forFactor(const GroupPrior& prior, const F& f) {
  for (Eigen::Index i = 0; i < prior.block.size(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      if (prior.block[i] == prior.block[j]) f(i, j);
}

/// Replaces the lower triangle of a symmetric positive definite matrix, k × k by rows, by its Cholesky factor
/// L with reciprocals on the diagonal; returns its log determinant.
double factorize(int k, double* a) {
  double determinant = 0;
  for (int j = 0; j < k; ++j) {
    for (int l = 0; l < j; ++l) a[j * k + j] -= a[j * k + l] * a[j * k + l];
    determinant += std::log(a[j * k + j]);
    a[j * k + j] = 1 / std::sqrt(a[j * k + j]);
    for (int i = j + 1; i < k; ++i) {
      for (int l = 0; l < j; ++l) a[i * k + j] -= a[i * k + l] * a[j * k + l];
      a[i * k + j] *= a[j * k + j];
    }
  }
  return determinant;
}

/// Replaces a symmetric positive definite matrix, k × k by rows, by its inverse; returns its log determinant.
double invert(int k, double* a) {
  const double determinant = factorize(k, a);
  for (int j = 0; j < k; ++j)  // L⁻¹
    for (int i = j + 1; i < k; ++i) {
      double sum = 0;
      for (int l = j; l < i; ++l) sum += a[i * k + l] * a[l * k + j];
      a[i * k + j] = -sum * a[i * k + i];
    }
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int l = i; l < k; ++l) sum += a[l * k + i] * a[l * k + j];
      a[j * k + i] = sum;  // above the diagonal, which is no longer read
    }
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < i; ++j) a[i * k + j] = a[j * k + i];
  return determinant;
}

constexpr std::size_t kMostEntries = std::size_t(kMostFitted) * kMostFitted;
using SquareMatrix = std::array<double, kMostEntries>;  // k × k of it, by rows

/// Log density of some voxels, and its derivatives with respect to Δ and V in γ.
struct Slope {
  double value = 0;
  Eigen::MatrixXd delta, variance;
};

class GroupFit {
 public:
  GroupFit(const GibbsProblem& problem, const GibbsGroup& group, std::uint64_t seed)
      : problem_(problem),
        group_(group),
        seed_(seed),
        prior_(groupPrior(problem, group)),
        k_(problem.regressors),
        q_(problem.covariates),
        size_(hyperCoordinates(q_, prior_)),
        sigma2_(group.end - group.begin) {
    for (std::int64_t i = group.begin; i < group.end; ++i)
      sigma2_[i - group.begin] = squaresOf(problem, i) / degreesOfFreedom(problem);
  }

  std::optional<HyperFit> run(const Progress& progress) {
    Eigen::VectorXd theta = start(strideFor(kFirstSubset));
    if (!approach(theta, progress)) return std::nullopt;
    const auto root = settle(theta, progress);
    if (!root) return std::nullopt;
    // The mode moves a little with every draw of the σ²: the mean of the modes is closest to all of them.
    std::array<Eigen::VectorXd, kModes> modes;  // relative to θ, in s.d.
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(size_);
    for (auto& mode : modes) {
      progress.throwIfCancelled();
      drawVariances(theta);
      mode = solveLower(*root, posteriorAt(theta, 1).second);
      mean += mode / kModes;
    }
    double spread = 0;
    for (const auto& mode : modes) spread += (mode - mean).squaredNorm() / (kModes - 1) / size_;
    theta += solveLowerTransposed(*root, mean);
    if (!theta.allFinite() || !(spread < 1) || sigma2_.size() < 2) return std::nullopt;
    return HyperFit{theta, std::sqrt(1 + spread) * inverse(*root).transpose()};
  }

 private:
  std::int64_t strideFor(std::int64_t voxels) const {
    return std::max<std::int64_t>(1, (group_.end - group_.begin) / voxels);
  }

  /// Climbs near the mode on a small subset of the voxels; false if the posterior has no curvature.
  bool approach(Eigen::VectorXd& theta, const Progress& progress) {
    const std::int64_t few = strideFor(kFirstSubset);
    for (int i = 0; i < kFirstSteps; ++i) {
      progress.throwIfCancelled();
      const auto root = curvatureRoot(theta, few);
      if (!root) return false;
      if (climb(theta, *root, few) < kFirstSettled) break;
    }
    drawVariances(theta);
    return true;
  }

  /// Climbs to the mode on all voxels; returns curvatureRoot() there, nullopt if it is not found.
  std::optional<Eigen::MatrixXd> settle(Eigen::VectorXd& theta, const Progress& progress) {
    std::optional<Eigen::MatrixXd> root;
    for (int i = 0; i < kSteps; ++i) {
      progress.throwIfCancelled();
      if (i < 2) root = curvatureRoot(theta, strideFor(i == 0 ? kSubset : kLastSubset));
      if (!root) return std::nullopt;
      const double length = climb(theta, *root, 1);
      if (!(length < 1e6)) return std::nullopt;
      if (i == 0) drawVariances(theta);
      if (i > 0 && length < kSettled * size_) break;
    }
    return root;
  }

  /// Moments of the least-squares estimates, with a fraction of their variances.
  Eigen::VectorXd start(std::int64_t stride) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(k_), beta(k_), squares = sum;
    double count = 0;
    for (std::int64_t i = group_.begin; i < group_.end; i += stride, ++count) {
      for (int j = 0; j < k_; ++j) beta[j] = problem_.estimate[j * problem_.voxels + i];
      beta = prior_.toBeta * beta;
      sum += beta;
      squares += beta.cwiseAbs2();
    }
    Eigen::VectorXd theta = Eigen::VectorXd::Zero(size_);
    theta.head(k_) = sum / count;
    Eigen::Index at = Eigen::Index(q_) * k_;
    forFactor(prior_, [&](Eigen::Index i, Eigen::Index j) {
      const double variance = (squares[i] - sum[i] * sum[i] / count) / count +
                              prior_.scaleOfBeta(i, i) / (prior_.nu * std::max(count, 1.0));
      if (i == j) theta[at] = std::log(std::max(variance, 1e-60) / 2) / 2;
      ++at;
    });
    return theta;
  }

  /// Log density of every stride-th voxel, scaled up to all of them.
  Slope slopeOfVoxels(const HyperPoint& point, std::int64_t stride) const {
    const std::int64_t count = (group_.end - group_.begin + stride - 1) / stride;
    const RowMajor variance =
                       prior_.toGamma * point.factor * point.factor.transpose() * prior_.toGamma.transpose(),
                   delta = point.delta * prior_.toGamma.transpose();
    std::vector<Slope> parts((count + kBlock - 1) / kBlock);
    parallelFor(std::ssize(parts), 1, Progress(), [&](std::int64_t part) {
      Slope& sums = parts[part];
      sums.delta = Eigen::MatrixXd::Zero(q_, k_);
      sums.variance = Eigen::MatrixXd::Zero(k_, k_);
      for (std::int64_t i = part * kBlock; i < std::min(count, (part + 1) * kBlock); ++i)
        addVoxel(group_.begin + i * stride, variance, delta, sums);
    });
    Slope all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      all.value += parts[i].value;
      all.delta += parts[i].delta;
      all.variance += parts[i].variance;
    }
    const double scale = double(group_.end - group_.begin) / double(count);
    all.value *= scale;
    all.delta *= scale;
    all.variance *= scale;
    return all;
  }

  void addVoxel(std::int64_t voxel, const RowMajor& variance, const RowMajor& delta, Slope& sums) const {
    SquareMatrix s{};
    std::array<double, std::size_t(kMostFitted)> rest{}, weighted{};
    const double sigma2 = sigma2_[voxel - group_.begin];
    const std::int64_t m = problem_.voxels;
    if (problem_.correlated) setErrors(voxel, s);
    for (int a = 0; a < k_; ++a) {
      double mean = 0;
      for (int c = 0; c < q_; ++c) mean += problem_.z[c * m + voxel] * delta(c, a);
      rest[a] = problem_.estimate[a * m + voxel] - mean;
      for (int b = 0; b < k_; ++b) {
        const double error = problem_.correlated ? s[a * k_ + b] : double(a == b);
        s[a * k_ + b] = variance(a, b) + sigma2 * error;
      }
    }
    sums.value -= invert(k_, s.data()) / 2;
    for (int a = 0; a < k_; ++a) {
      for (int b = 0; b < k_; ++b) weighted[a] += s[a * k_ + b] * rest[b];
      sums.value -= weighted[a] * rest[a] / 2;
    }
    for (int a = 0; a < k_; ++a) {
      for (int b = 0; b < k_; ++b) sums.variance(a, b) += (weighted[a] * weighted[b] - s[a * k_ + b]) / 2;
      for (int c = 0; c < q_; ++c) sums.delta(c, a) += problem_.z[c * m + voxel] * weighted[a];
    }
  }

  /// Sets the covariance H⁻¹ of the error of a voxel's estimates, in units of σ².
  void setErrors(std::int64_t voxel, SquareMatrix& s) const {
    const float* h = problem_.precision.data() + voxel;
    for (int a = 0; a < k_; ++a)
      for (int b = 0; b <= a; ++b, h += problem_.voxels) s[a * k_ + b] = s[b * k_ + a] = double(*h);
    invert(k_, s.data());
  }

  /// Log posterior at θ, from every stride-th voxel, and its gradient.
  std::pair<double, Eigen::VectorXd> posteriorAt(const Eigen::VectorXd& theta, std::int64_t stride) const {
    const HyperPoint point = hyperPointAt(theta, q_, prior_);
    const Slope voxels = slopeOfVoxels(point, stride);
    const Eigen::MatrixXd inverseFactor = inverse(point.factor),
                          precision = inverseFactor.transpose() * inverseFactor;
    const Eigen::MatrixXd inner = prior_.scaleOfBeta + prior_.a * point.delta.transpose() * point.delta;
    // Elements between blocks do not exist in V_β, nor in its prior.
    Eigen::MatrixXd ofPrior = inner;
    for (int i = 0; i < k_; ++i)
      for (int j = 0; j < k_; ++j)
        if (prior_.block[i] != prior_.block[j]) ofPrior(i, j) = 0;
    const Eigen::MatrixXd ofVariance =
        prior_.toGamma.transpose() * voxels.variance * prior_.toGamma + precision * ofPrior * precision / 2;
    const Eigen::MatrixXd ofFactor = 2 * ofVariance * point.factor;
    Eigen::VectorXd gradient(size_);
    const RowMajor ofDelta = voxels.delta * prior_.toGamma - prior_.a * point.delta * precision;
    gradient.head(Eigen::Index(q_) * k_) = Eigen::Map<const Eigen::VectorXd>(ofDelta.data(), ofDelta.size());
    Eigen::Index at = Eigen::Index(q_) * k_;
    forFactor(prior_, [&](Eigen::Index i, Eigen::Index j) {
      double slope = ofFactor(i, j);
      if (i == j) slope = slope * point.factor(i, i) - powerOfDiagonal(i);
      gradient[at++] = slope;
    });
    return {voxels.value + logHyperPrior(point, prior_), gradient};
  }

 public:
  /// Minus the power of f_ii in the prior of θ: that of |V|, minus that of dV/dθ.
  static double powerOf(Eigen::Index i, int q, const GroupPrior& prior) {
    double size = 0, before = 0;
    for (Eigen::Index j = 0; j < prior.block.size(); ++j) {
      size += prior.block[j] == prior.block[i];
      before += j < i && prior.block[j] == prior.block[i];
    }
    const double others = double(prior.block.size()) - size;
    return prior.nu - others + size + 1 + q - (size - before + 1);
  }

 private:
  double powerOfDiagonal(Eigen::Index i) const { return powerOf(i, q_, prior_); }

  /// The lower triangle R with R R' = −(second derivatives) from every stride-th voxel.
  std::optional<Eigen::MatrixXd> curvatureRoot(const Eigen::VectorXd& theta, std::int64_t stride) const {
    const HyperPoint point = hyperPointAt(theta, q_, prior_);
    Eigen::VectorXd width(size_);
    for (int c = 0; c < q_; ++c)
      for (int j = 0; j < k_; ++j) width[c * k_ + j] = kDifference * point.factor.row(j).norm();
    Eigen::Index at = Eigen::Index(q_) * k_;
    forFactor(prior_, [&](Eigen::Index i, Eigen::Index j) {
      width[at++] = kDifference * (i == j ? 1 : point.factor.row(i).norm());
    });
    Eigen::MatrixXd curvature(size_, size_);
    for (int a = 0; a < size_; ++a) {
      Eigen::VectorXd high = theta, low = theta;
      high[a] += width[a];
      low[a] -= width[a];
      curvature.col(a) =
          (posteriorAt(low, stride).second - posteriorAt(high, stride).second) / (2 * width[a]);
    }
    curvature = (curvature + curvature.transpose()).eval() / 2;
    if (!curvature.allFinite()) return std::nullopt;
    // Away from the mode the curvature may be negative in some directions, in which a step follows the slope.
    const SymmetricEigen eigen = symmetricEigen(curvature);
    const double least = 1e-8 * eigen.values.cwiseAbs().maxCoeff();
    if (!(least > 0)) return std::nullopt;
    const Eigen::VectorXd sound = eigen.values.cwiseAbs().cwiseMax(least);
    const Eigen::MatrixXd root =
        choleskyFactor(eigen.vectors * sound.asDiagonal().toDenseMatrix() * eigen.vectors.transpose());
    if (!root.allFinite()) return std::nullopt;
    return root;
  }

  /// One step of Newton's method, shortened until the posterior increases; returns its squared length in s.d.
  double climb(Eigen::VectorXd& theta, const Eigen::MatrixXd& root, std::int64_t stride) const {
    const auto [value, gradient] = posteriorAt(theta, stride);
    const Eigen::VectorXd inRoot = solveLower(root, gradient);
    Eigen::VectorXd step = solveLowerTransposed(root, inRoot);
    double length = inRoot.squaredNorm();
    Eigen::Index at = Eigen::Index(q_) * k_;
    double most = 0;
    forFactor(prior_, [&](Eigen::Index i, Eigen::Index j) {
      if (i == j) most = std::max(most, std::abs(step[at]));
      ++at;
    });
    if (most > kLargestStep) step *= kLargestStep / most;
    if (length < kFirstSettled) {
      theta += step;
      return length;
    }
    for (int i = 0; i < kHalvings; ++i, step /= 2, length /= 4)
      if (posteriorAt(theta + step, stride).first > value) {
        theta += step;
        return length;
      }
    return 0;
  }

  /// Draws each voxel's σ² given hyper-parameters θ, in a few steps from the last.
  void drawVariances(const Eigen::VectorXd& theta) {
    const HyperPoint point = hyperPointAt(theta, q_, prior_);
    const Eigen::MatrixXd factor = prior_.toGamma * point.factor;
    const SymmetricEigen eigen = symmetricEigen(factor * factor.transpose());
    using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const FloatRows axes = eigen.vectors.cast<float>(),
                    means =
                        (eigen.vectors.transpose() * prior_.toGamma * point.delta.transpose()).cast<float>();
    const Eigen::VectorXf scales = eigen.values.cwiseMax(0).cast<float>(), roots = scales.cwiseSqrt();
    const GibbsStep step{q_, axes.data(), scales.data(), roots.data(), means.data()};
    const int round = rounds_++;
    parallelForBlocks(group_.end - group_.begin, kBlock, Progress(),
                      [&](std::int64_t begin, std::int64_t end) {
                        if (problem_.correlated)
                          drawVariances<CorrelatedWork<float, 0>>(step, round, begin, end);
                        else
                          drawVariances<VoxelWork<float, 0>>(step, round, begin, end);
                      });
  }
  template <class Work>
  void drawVariances(const GibbsStep& step, int round, std::int64_t begin, std::int64_t end) {
    std::vector<float> memory(Work::size(k_)), normal(std::size_t(k_ + 2));
    Work work(memory.data(), k_);
    const ChiSquare<float> law(degreesOfFreedom(problem_));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t voxel = group_.begin + i;
      const VoxelData<float> data = voxelData(problem_, voxel);
      float& sigma2 = sigma2_[i];
      for (int draw = 0; draw < kVarianceDraws; ++draw) {
        PhiloxStream<std::uint32_t> stream{seed_, problem_.voxelId[voxel],
                                           kIteration + std::uint32_t(round * kVarianceDraws + draw), 0};
        float chiSquare;
        drawNumbers(k_, law, stream, normal.data(), chiSquare);
        const VoxelNumbers numbers{[&](int j) { return normal[j]; }, chiSquare};
        sigma2 = drawVoxel(k_, step, data, sigma2, numbers, work);
      }
    }
  }

  const GibbsProblem& problem_;
  const GibbsGroup& group_;
  const PhiloxKey seed_;
  const GroupPrior prior_;
  const int k_, q_, size_;
  std::vector<float> sigma2_;
  int rounds_ = 0;  ///< number of calls of drawVariances()
};

}  // namespace

int hyperCoordinates(int q, const GroupPrior& prior) {
  int size = q * int(prior.block.size());
  forFactor(prior, [&](Eigen::Index, Eigen::Index) { ++size; });
  return size;
}

HyperPoint hyperPointAt(const Eigen::VectorXd& theta, int q, const GroupPrior& prior) {
  const Eigen::Index k = prior.block.size();
  HyperPoint point{Eigen::Map<const RowMajor>(theta.data(), q, k), Eigen::MatrixXd::Zero(k, k)};
  Eigen::Index at = q * k;
  forFactor(prior, [&](Eigen::Index i, Eigen::Index j) {
    const double value = theta[at++];
    point.factor(i, j) = i == j ? std::exp(value) : value;
  });
  return point;
}

double logHyperPrior(const HyperPoint& point, const GroupPrior& prior) {
  const Eigen::MatrixXd inverseFactor = inverse(point.factor),
                        precision = inverseFactor.transpose() * inverseFactor;
  const Eigen::MatrixXd inner = prior.scaleOfBeta + prior.a * point.delta.transpose() * point.delta;
  double log = -precision.cwiseProduct(inner).sum() / 2;  // V_β⁻¹ is 0 between blocks
  for (Eigen::Index i = 0; i < prior.block.size(); ++i)
    log -= GroupFit::powerOf(i, int(point.delta.rows()), prior) * std::log(point.factor(i, i));
  return log;
}

bool groupsAreLarge(const GibbsProblem& problem) {
  return std::all_of(problem.groups.begin(), problem.groups.end(),
                     [](const GibbsGroup& group) { return group.end - group.begin >= kFewestVoxels; });
}

std::vector<HyperFit> fitHyper(const GibbsProblem& problem, std::uint64_t seed, const Progress& progress) {
  std::vector<HyperFit> fits;
  if (problem.regressors > kMostFitted) return fits;
  for (const GibbsGroup& group : problem.groups) {
    if (hyperCoordinates(problem.covariates, groupPrior(problem, group)) > kMostCoordinates) return {};
    auto fit = GroupFit(problem, group, seed).run(progress);
    if (!fit) return {};
    fits.push_back(std::move(*fit));
  }
  return fits;
}

}  // namespace sulcus::activation
