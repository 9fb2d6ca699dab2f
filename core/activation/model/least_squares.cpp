#include "core/activation/model/least_squares.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr double kConstant = 1e-6;   // s.d. relative to the mean; rounding a constant series to float32 gives
                                     // less
constexpr double kSmallest = 1e-15;  // s.d. of a raw response whose squares still fit into float32
constexpr double kExact = 1e-12;     // ratio of the residual to the total sum of squares for a design that
                                     // explains everything

using Rows = SeriesRows;

/// Mean, Σ(y − ȳ)² and largest magnitude of one series.
struct Moments {
  double mean, squares, largest;
};

Exclusion exclusionOf(const Moments& moments, double sd, Response response) {
  if (!std::isfinite(moments.squares) || !(moments.largest <= kLargestValue)) return Exclusion::notSound;
  if (!(sd > kConstant * std::abs(moments.mean))) return Exclusion::constant;
  if (response == Response::raw && !(sd > kSmallest)) return Exclusion::tiny;
  // The mean of a demeaned series is rounding error, which cannot be the basis of percentages.
  if (response == Response::percent && !(moments.mean > kConstant * sd)) return Exclusion::noMean;
  return Exclusion::none;
}

/// The conversion of a series with these moments to a response; `exclusion` says why if there is none.
ResponseScale scaleOf(const Moments& moments, double scans, Response response, Exclusion& exclusion) {
  const double sd = std::sqrt(moments.squares / (scans - 1));
  exclusion = exclusionOf(moments, sd, response);
  if (exclusion != Exclusion::none) return {moments.mean, 0};
  if (response == Response::raw) return {};
  return {moments.mean, response == Response::percent ? 100 / moments.mean : 1 / sd};
}

/// Converts series (n × voxels) to responses, run by run, 0 if that is impossible in one of them. `exclusion`
/// and `total`, Σ(y − ȳ)² of the response within the runs, receive a value for each voxel.
void toResponses(Rows& y, const std::vector<Run>& runs, Response response, Exclusion* exclusion,
                 double* total) {
  std::fill_n(exclusion, y.cols(), Exclusion::none);
  std::fill_n(total, y.cols(), 0.0);
  for (const Run& run : runs) {
    auto part = y.middleRows(run.begin, run.scans());
    const auto n = double(run.scans());
    const Eigen::RowVectorXd mean = part.colwise().sum() / n;
    const Eigen::RowVectorXd squares = (part.rowwise() - mean).colwise().squaredNorm();
    const Eigen::RowVectorXd largest = part.cwiseAbs().colwise().maxCoeff();
    Eigen::RowVectorXd offset(y.cols()), scale(y.cols());
    for (Eigen::Index i = 0; i < y.cols(); ++i) {
      Exclusion here;
      const ResponseScale s = scaleOf({mean(i), squares(i), largest(i)}, n, response, here);
      if (exclusion[i] == Exclusion::none) exclusion[i] = here;
      offset(i) = s.offset;
      scale(i) = s.scale;
      if (here != Exclusion::none) {  // NaN times 0 is NaN
        part.col(i).setZero();
        offset(i) = 0;
      }
      total[i] += squares(i) * s.scale * s.scale;
    }
    part = (part.rowwise() - offset).array().rowwise() * scale.array();
  }
  for (Eigen::Index i = 0; i < y.cols(); ++i)
    if (exclusion[i] != Exclusion::none) y.col(i).setZero();
}

/// Adds W'W r of the columns of r in a run to `twice`, each with its own filter.
void whitenTwice(const Rows& r, const Run& run, const std::vector<NoiseFilter>& filters, Rows& once,
                 Rows& twice) {
  for (Eigen::Index t = run.begin; t < run.end; ++t) {
    const auto m = std::min<Eigen::Index>(t - run.begin, kNoiseLags);
    for (Eigen::Index j = 0; j <= m; ++j)
      for (Eigen::Index i = 0; i < r.cols(); ++i) once(t, i) += filters[i].at[m][j] * r(t - j, i);
    for (Eigen::Index j = 0; j <= m; ++j)
      for (Eigen::Index i = 0; i < r.cols(); ++i) twice(t - j, i) += filters[i].at[m][j] * once(t, i);
  }
}
Rows whitenedTwice(const Rows& r, const std::vector<Run>& runs, const std::vector<NoiseFilter>& filters) {
  Rows once = Rows::Zero(r.rows(), r.cols()), twice = once;
  for (const Run& run : runs) whitenTwice(r, run, filters, once, twice);
  return twice;
}

/// The precision of all numbers but the first r after integrating these out: S S' with S the last block of
/// the Cholesky factor.
Eigen::MatrixXd withoutFirst(Eigen::Index r, const Eigen::MatrixXd& precision) {
  const Eigen::Index k = precision.rows() - r;
  const Eigen::MatrixXd s = choleskyFactor(precision).bottomRightCorner(k, k);
  return s * s.transpose();
}

/// Voxels and the bases of the regression for each slice.
struct SlicedVoxels {
  const std::vector<SliceBasis>& bases;
  const Grid& grid;
  const std::vector<std::int64_t>& voxels;

  /// Calls body(basis, from, to, series) for the voxels of a block, slice by slice.
  template <class Body>
  void forBlock(std::int64_t begin, std::int64_t end, Rows& y, const Body& body) const {
    if (bases.size() == 1) return body(bases[0], begin, end, y);
    for (std::int64_t from = begin, to = begin; from < end; from = to) {
      const int slice = grid.voxel(voxels[from]).z;
      while (to < end && grid.voxel(voxels[to]).z == slice) ++to;
      Rows part = y.middleCols(from - begin, to - from);
      body(bases[slice], from, to, part);
    }
  }
};

/// H of γ, from that of a slice's γ: T⁻ᵀHT⁻¹.
Eigen::MatrixXd precisionOfGamma(const SliceBasis& basis, const Eigen::MatrixXd& precision) {
  if (basis.toGamma.size() == 0) return precision;
  const Eigen::MatrixXd back = inverse(basis.toGamma);
  return back.transpose() * precision * back;
}

/// Stores H of a voxel, the lower triangle by rows.
void storePrecision(const Eigen::MatrixXd& precision, std::size_t voxel, GibbsProblem& problem) {
  const auto count = std::size_t(problem.voxels);
  for (Eigen::Index a = 0, to = 0; a < precision.rows(); ++a)
    for (Eigen::Index b = 0; b <= a; ++b, ++to)
      problem.precision[std::size_t(to) * count + voxel] = float(precision(a, b));
}

void makeCorrelated(GibbsProblem& problem) {
  const auto k = std::size_t(problem.regressors);
  problem.correlated = true;
  problem.precision.resize(k * (k + 1) / 2 * std::size_t(problem.voxels));
}

/// Σ_t r_t r_{t−lag} within the runs, for each column r of residuals.
Eigen::RowVectorXd sumsAtLag(Eigen::Index lag, const Rows& residuals, const std::vector<Run>& runs) {
  Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(residuals.cols());
  for (const Run& run : runs) {
    const Eigen::Index n = run.scans() - lag;
    sums += residuals.middleRows(run.begin + lag, n)
                .cwiseProduct(residuals.middleRows(run.begin, n))
                .colwise()
                .sum();
  }
  return sums;
}

bool hasSoundTissue(const Series<float>* tissue, std::int64_t voxel) {
  for (int t = 0; tissue && t < tissue->count; ++t)
    if (!isSound(tissue->at(voxel, t))) return false;
  return true;
}

/// Fits the voxels of a block that have one basis.
struct Regression {
  const ActivationInput& input;
  Response response;
  const std::vector<std::int64_t>& voxels;
  const std::vector<Run> runs;
  VoxelFits& fit;

  /// @param y  their series, replaced by residuals
  void operator()(const SliceBasis& basis, std::int64_t begin, std::int64_t end, Rows& y) const {
    const Eigen::MatrixXd& q = basis.q;
    const auto count = std::int64_t(voxels.size());
    const Eigen::Index k = input.design.regressors(), r = q.cols() - k, size = end - begin;
    std::array<double, kSeriesPerBlock> total;
    Exclusion* exclusion = fit.exclusion.data() + begin;
    toResponses(y, runs, response, exclusion, total.data());
    Rows gamma = q.transpose() * y;
    y.noalias() -= q * gamma;
    if (basis.toGamma.size() > 0) gamma.bottomRows(k) = (basis.toGamma * gamma.bottomRows(k)).eval();
    const Eigen::RowVectorXd residual = y.colwise().squaredNorm();
    for (Eigen::Index l = 0; !fit.lagSums.empty() && l <= kNoiseLags; ++l)
      Eigen::Map<Eigen::RowVectorXf>(fit.lagSums.data() + l * count + begin, size) =
          sumsAtLag(l, y, runs).cast<float>();
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto at = std::size_t(begin + i);
      for (Eigen::Index j = 0; j < k; ++j) fit.estimate[std::size_t(j * count) + at] = float(gamma(r + j, i));
      fit.residual[at] = float(residual(i));
      fit.total[at] = float(total[i]);
      if (exclusion[i] != Exclusion::none) continue;
      if (!(residual(i) > kExact * total[i]))
        exclusion[i] = Exclusion::exact;
      else if (!hasSoundTissue(input.tissue.get(), voxels[at]))
        exclusion[i] = Exclusion::tissue;
    }
  }
};

}  // namespace

ThinQr decompositionOf(const Design& design) {
  Eigen::MatrixXd columns(design.scans(), design.confounds.cols() + design.matrix.cols());
  columns << design.confounds, design.matrix;
  return thinQr(columns);
}

std::vector<SliceBasis> basesOf(const Design& design) {
  const ThinQr reference = decompositionOf(design);
  if (design.ofSlices.empty()) return {{reference.q, {}}};
  const Eigen::Index k = design.matrix.cols();
  std::vector<SliceBasis> bases;
  Design at = design;
  for (const Eigen::MatrixXd& matrix : design.ofSlices) {
    at.matrix = matrix;
    ThinQr qr = decompositionOf(at);
    bases.push_back(
        {std::move(qr.q), reference.r.bottomRightCorner(k, k) * inverse(qr.r.bottomRightCorner(k, k))});
  }
  return bases;
}

void setPrecisions(const std::vector<SliceBasis>& bases, const Grid& grid,
                   const std::vector<std::int64_t>& voxels, GibbsProblem& problem) {
  if (bases.size() == 1) return;
  makeCorrelated(problem);
  std::vector<Eigen::MatrixXd> precisions;
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(problem.regressors, problem.regressors);
  for (const SliceBasis& basis : bases) precisions.push_back(precisionOfGamma(basis, one));
  for (std::size_t i = 0; i < voxels.size(); ++i)
    storePrecision(precisions[grid.voxel(voxels[i]).z], i, problem);
}

VoxelFits fitVoxels(const ActivationInput& input, Response response, const std::vector<SliceBasis>& bases,
                    const std::vector<std::int64_t>& voxels, bool lagSums, const Progress& progress) {
  const std::size_t count = voxels.size();
  VoxelFits fit;
  fit.estimate.resize(std::size_t(input.design.regressors()) * count);
  fit.residual.resize(count);
  fit.total.resize(count);
  fit.exclusion.resize(count);
  if (lagSums) fit.lagSums.resize(count * (kNoiseLags + 1));
  const Regression regression{input, response, voxels, input.design.runs(), fit};
  forSeries(*input.bold, voxels, voxelsAtOnce(*input.bold), progress,
            [&](std::int64_t begin, std::int64_t end, Rows& y) {
              SlicedVoxels{bases, input.bold->grid, voxels}.forBlock(begin, end, y, regression);
            });
  return fit;
}

Eigen::MatrixXd precisionAt(const GibbsProblem& problem, std::int64_t voxel) {
  Eigen::MatrixXd precision(problem.regressors, problem.regressors);
  const float* from = problem.precision.data() + voxel;
  for (Eigen::Index a = 0; a < precision.rows(); ++a)
    for (Eigen::Index b = 0; b <= a; ++b, from += problem.voxels) precision(a, b) = *from;
  return precision;
}

void fitWhitened(const ActivationInput& input, Response response, const std::vector<SliceBasis>& bases,
                 const ActivationResult& result, GibbsProblem& problem, const Progress& progress) {
  const std::vector<std::int64_t>& voxels = result.voxels;
  const NoiseModel& noise = *result.noise;
  const auto count = std::int64_t(voxels.size());
  const Eigen::Index r = input.design.confounds.cols(), k = input.design.regressors();
  const std::vector<Run> runs = input.design.runs();
  std::vector<FilteredSquares> ofBases;
  for (const SliceBasis& basis : bases) ofBases.emplace_back(basis.q, runs);
  makeCorrelated(problem);
  const auto fitPart = [&](const SliceBasis& basis, std::int64_t begin, std::int64_t end, Rows& y) {
    const Eigen::MatrixXd& q = basis.q;
    const FilteredSquares& squares = ofBases[&basis - bases.data()];
    const Eigen::Index size = end - begin;
    std::array<double, kSeriesPerBlock> total;
    std::array<Exclusion, kSeriesPerBlock> exclusion;
    toResponses(y, runs, response, exclusion.data(), total.data());
    const Rows gamma = q.transpose() * y;
    y.noalias() -= q * gamma;
    std::vector<NoiseFilter> filters;
    for (std::int64_t i = begin; i < end; ++i) filters.emplace_back(noise.at(i));
    // The residuals of ordinary least squares are whitened, to avoid subtracting large numbers.
    const Rows whitened = whitenedTwice(y, runs, filters), right = q.transpose() * whitened;
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto at = std::size_t(begin + i);
      Eigen::MatrixXd precision = squares(filters[i]);
      const Eigen::VectorXd step = solvePositiveDefinite(precision, Eigen::VectorXd(right.col(i)));
      Eigen::VectorXd estimate = gamma.col(i).tail(k) + step.tail(k);
      if (basis.toGamma.size() > 0) estimate = (basis.toGamma * estimate).eval();
      for (Eigen::Index j = 0; j < k; ++j) problem.estimate[std::size_t(j * count) + at] = float(estimate(j));
      problem.residual[at] = float(y.col(i).dot(whitened.col(i)) - step.dot(right.col(i)));
      if (r > 0) precision = withoutFirst(r, precision);
      storePrecision(precisionOfGamma(basis, precision), at, problem);
    }
  };
  forSeries(*input.bold, voxels, voxelsAtOnce(*input.bold), progress,
            [&](std::int64_t begin, std::int64_t end, Rows& y) {
              SlicedVoxels{bases, input.bold->grid, voxels}.forBlock(begin, end, y, fitPart);
            });
}

SeriesRows responsesOf(const Series<float>& bold, const std::vector<Run>& runs, Response response,
                       const std::vector<std::int64_t>& voxels, const Progress& progress) {
  SeriesRows responses(bold.count, std::ssize(voxels));
  forSeries(bold, voxels, voxelsAtOnce(bold), progress, [&](std::int64_t begin, std::int64_t end, Rows& y) {
    std::array<double, kSeriesPerBlock> total;
    std::array<Exclusion, kSeriesPerBlock> exclusion;
    toResponses(y, runs, response, exclusion.data(), total.data());
    responses.middleCols(begin, end - begin) = y;
  });
  return responses;
}

std::string exclusionNote(const VoxelFits& fits) {
  static constexpr std::array why{"",
                                  "their series is not finite or exceeds ±1e+15",
                                  "their series is constant",
                                  "their series varies by less than 1e-15, which response raw keeps",
                                  "the mean of their series is not positive, so percent change is undefined "
                                  "(a series without its mean needs response standardized or raw)",
                                  "the design explains their series without a residual",
                                  "a tissue map is not finite or beyond ±1e+15 there"};
  std::string reasons;
  std::int64_t excluded = 0;
  for (std::size_t reason = 1; reason < why.size(); ++reason) {
    const auto voxels = std::count(fits.exclusion.begin(), fits.exclusion.end(), Exclusion(reason));
    if (voxels == 0) continue;
    excluded += voxels;
    reasons += text(reasons.empty() ? "" : "; ", voxels, ": ", why[reason]);
  }
  if (excluded == std::int64_t(fits.exclusion.size()))
    throw Error(text("None of the ", excluded, " voxels of the mask can be analyzed"), reasons,
                "check that series and mask belong together");
  return excluded > 0 ? text(excluded, " voxels of the mask are excluded (", reasons, ").") : "";
}

std::optional<Eigen::VectorXd> responseAt(const Series<float>& bold, const std::vector<Run>& runs,
                                          Response response, std::int64_t voxel) {
  Rows y(bold.count, 1);
  for (int v = 0; v < bold.count; ++v) y(v, 0) = bold.at(voxel, v);
  Exclusion exclusion;
  double total;
  toResponses(y, runs, response, &exclusion, &total);
  return exclusion == Exclusion::none ? std::optional<Eigen::VectorXd>(y.col(0)) : std::nullopt;
}

std::optional<ResponseScale> responseScaleAt(const Series<float>& bold, Response response,
                                             std::int64_t voxel) {
  Eigen::VectorXd y(bold.count);
  for (int v = 0; v < bold.count; ++v) y(v) = bold.at(voxel, v);
  const double mean = y.mean();
  Exclusion exclusion;
  const auto scale = scaleOf({mean, (y.array() - mean).square().sum(), y.cwiseAbs().maxCoeff()}, bold.count,
                             response, exclusion);
  return exclusion == Exclusion::none ? std::optional(scale) : std::nullopt;
}

}  // namespace sulcus::activation
