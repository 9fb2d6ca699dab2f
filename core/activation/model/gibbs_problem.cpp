#include "core/activation/model/gibbs_problem.h"

#include "core/activation/model/automatic_mask.h"
#include "core/activation/model/common_noise.h"
#include "core/activation/model/jumps.h"
#include "core/activation/model/least_squares.h"
#include "core/activation/model/noise.h"
#include "core/activation/model/priors.h"
#include "core/activation/sampler/beta_from_gamma.h"
#include "core/activation/sampler/delta_mean.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace sulcus::activation {
namespace {

constexpr double kSmallestSpread =
    1e-15;                           // smallest norm of a centered covariate, by which its effect is divided
constexpr int kFewestKept = 4;       // draws, so that each half of a chain has two
constexpr int kFewestForNoise = 20;  // residual degrees of freedom, for an estimate of memory

void checkSampling(const GibbsOptions& sampling) {
  if (sampling.burnIn >= sampling.draws)
    throw Error(text("The burn-in of ", sampling.burnIn, " takes all of the ", sampling.draws, " draws"),
                "nothing would be left of the chain", "drop fewer draws (burn-in) or make more (draws)",
                ErrorKind::usage);
  if (sampling.kept() < kFewestKept)
    throw Error(text("Only ", sampling.kept(), " of ", sampling.draws, " draws would be kept"),
                text("at least ", kFewestKept, " are needed to tell whether the chain has converged"),
                "make more draws, or lower the thinning or the burn-in", ErrorKind::usage);
}

/// Throws Error if one of the columns (the intercept, then the maps) is a linear combination of earlier ones.
/// Gram–Schmidt orthogonalization, repeated once against rounding.
///
/// @param z  voxels × covariates
void checkCovariates(const Eigen::MatrixXd& z, const std::vector<std::string>& names) {
  Eigen::MatrixXd basis(z.rows(), 0);
  for (Eigen::Index j = 0; j < z.cols(); ++j) {
    Eigen::VectorXd rest = z.col(j);
    if (j > 0) rest.array() -= rest.mean();
    const double length = rest.norm();
    const std::string name = "The tissue map '" + names[j] + "' ";
    if (!(length > std::max(kCollinear * z.col(j).norm(), kSmallestSpread)))
      throw Error(name + "has one value in all analyzed voxels",
                  "its effect cannot be told from the intercept's", "leave it out, or widen the mask");
    for (int twice = 0; twice < 2; ++twice) rest -= basis * (basis.transpose() * rest);
    if (!(rest.norm() > kCollinear * length))
      throw Error(name + "is a combination of those before it", "their effects cannot be told apart",
                  "leave it out");
    basis.conservativeResize(Eigen::NoChange, j + 1);
    basis.col(j) = rest.normalized();
  }
}

void checkInput(const ActivationInput& input, const ActivationOptions& options) {
  if (!input.bold || input.bold->count == 0)
    throw Error("There is no series to analyze", "activation is detected from how a voxel changes over time",
                "give a 4D image, or several 3D ones in order");
  const Series<float>& bold = *input.bold;
  if (bold.count < 2)
    throw Error("The series has 1 volume", "activation is detected from how a voxel changes over time",
                "give a 4D image, or several 3D ones in order");
  checkDesign(input.design, bold.count);
  if (!input.design.ofSlices.empty() && int(input.design.ofSlices.size()) != bold.grid.size.z)
    throw Error(text("There are designs of ", input.design.ofSlices.size(), " slices for ", bold.grid.size.z),
                "each slice has the time at which it was taken", "give a time for each slice");
  if (input.mask && !sameGrid(input.mask->grid, bold.grid))
    throw Error("The mask has a different grid than the series: " + otherGrid(input.mask->grid, bold.grid),
                "their voxels do not correspond", "give a mask of this series, or none");
  if (input.tissue && !sameGrid(input.tissue->grid, bold.grid))
    throw Error(
        "The tissue maps have a different grid than the series: " + otherGrid(input.tissue->grid, bold.grid),
        "their voxels do not correspond", "resample them to the grid of the series");
  if (options.slice > bold.grid.size.z)
    throw Error(text("There is no slice ", options.slice),
                text("the series has ", bold.grid.size.z, " slices"),
                text("choose one of 1 to ", bold.grid.size.z, ", or 0 for all"), ErrorKind::usage);
  if (bold.grid.voxels() > std::int64_t(std::numeric_limits<std::uint32_t>::max()))
    throw Error("The series has more than 4 billion voxels",
                "the voxel index seeds the random numbers and has 32 bits", "crop it");
}

/// Grid indices of the mask's voxels in the chosen slice (0: all slices), ascending.
std::vector<std::int64_t> candidates(const Mask& mask, int slice, bool automatic) {
  const Grid& grid = mask.grid;
  const std::int64_t perSlice = std::int64_t(grid.size.x) * grid.size.y;
  std::int64_t begin = 0, end = grid.voxels();
  if (slice > 0) {
    begin = (slice - 1) * perSlice;
    end = slice * perSlice;
  }
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = begin; i < end; ++i)
    if (mask.values[i]) voxels.push_back(i);
  if (voxels.empty()) {
    const std::string problem =
        slice > 0 ? text("The mask has no voxel in slice ", slice) : "The mask is empty";
    throw Error(
        problem, "there would be nothing to work on",
        automatic ? "the automatic mask found no brain: give a mask" : "give a mask with voxels there");
  }
  return voxels;
}

/// Stores the voxels that are not excluded, and their fits, in `result` and `problem`.
///
/// @return  the lag sums of the residuals, (4, M); empty if not computed
std::vector<float> keepVoxels(const std::vector<std::int64_t>& voxels, const VoxelFits& fit,
                              ActivationResult& result, GibbsProblem& problem) {
  const std::size_t count = voxels.size(), k = std::size_t(problem.regressors);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i)
    if (fit.exclusion[i] == Exclusion::none) kept.push_back(i);
  const std::size_t m = kept.size();
  problem.voxels = std::int64_t(m);
  problem.estimate.resize(k * m);
  problem.residual.resize(m);
  problem.errorPrior.resize(m);
  problem.voxelId.resize(m);
  result.voxels.resize(m);
  std::vector<float> lagSums(fit.lagSums.empty() ? 0 : m * (kNoiseLags + 1));
  auto mask = std::make_shared<Mask>(result.grid);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t from = kept[i];
    result.voxels[i] = voxels[from];
    mask->values[voxels[from]] = 1;
    problem.voxelId[i] = std::uint32_t(voxels[from]);
    problem.residual[i] = fit.residual[from];
    problem.errorPrior[i] = fit.total[from] / float(result.design.scans() - 1);
    for (std::size_t at = 0, j = i; j < lagSums.size(); ++at, j += m)
      lagSums[j] = fit.lagSums[at * count + from];
    for (std::size_t j = 0; j < k; ++j) problem.estimate[j * m + i] = fit.estimate[j * count + from];
  }
  result.mask = std::move(mask);
  return lagSums;
}

/// Whether the series are long enough to estimate the memory of their noise; adds a note if `automatic` finds
/// them too short.
bool hasMemory(const ActivationOptions& options, int freedom, Notes& notes) {
  if (options.noise == Noise::white) return false;
  if (freedom >= kFewestForNoise) return true;
  if (options.noise != Noise::automatic)
    throw Error(text("The autocorrelation of the noise cannot be estimated from ", freedom,
                     " residual degrees of freedom"),
                text("at least ", kFewestForNoise, " are needed"),
                "choose noise white, or use fewer regressors", ErrorKind::usage);
  notes.push_back(text("The noise is taken for white: ", freedom,
                       " residual degrees of freedom do not tell whether it has memory (", kFewestForNoise,
                       " would)."));
  return false;
}

/// Describes the noise model.
std::string noiseNote(const NoiseModel& noise) {
  if (noise.white()) return "The noise is not autocorrelated in any voxel and is treated as white.";
  std::string orders;
  for (std::size_t p = 0; p <= kNoiseLags; ++p) {
    const auto voxels = noise.voxelsOfOrder[p];
    if (voxels == 0) continue;
    if (!orders.empty()) orders += ", ";
    orders += p == 0 ? text(voxels, " voxels with none") : text(voxels, " of order ", p);
  }
  std::string typical;
  for (std::size_t j = 0; j < kNoiseLags; ++j) typical += text(j ? ", " : "", std::tanh(noise.typical[j]));
  return text("Memory of the noise (autoregressive): ", orders, "; partial autocorrelations on average ",
              typical, ". Series and design are whitened in each voxel.");
}

/// One group for all voxels, or one for each slice that has voxels.
void makeGroups(Scope scope, ActivationResult& result, GibbsProblem& problem) {
  if (scope == Scope::volume) {
    problem.groups.push_back({0, problem.voxels, {}, {}});
    result.groupNames = {"volume"};
    return;
  }
  const std::int64_t perSlice = std::int64_t(result.grid.size.x) * result.grid.size.y;
  for (std::int64_t i = 0; i < problem.voxels; ++i) {
    const std::int64_t slice = result.voxels[i] / perSlice;
    if (i == 0 || slice != result.voxels[i - 1] / perSlice) {
      problem.groups.push_back({i, i, {}, {}});
      result.groupNames.push_back(text("slice ", slice + 1));
    }
    problem.groups.back().end = i + 1;
  }
}

/// Stores the covariates of the second level: 1, then the maps, demeaned over each group.
void makeCovariates(const ActivationInput& input, ActivationResult& result, GibbsProblem& problem) {
  const std::int64_t m = problem.voxels;
  const int maps = input.tissue ? input.tissue->count : 0;
  problem.covariates = 1 + maps;
  result.covariateNames = {"intercept"};
  Eigen::MatrixXd z = Eigen::MatrixXd::Ones(m, 1 + maps);
  for (int t = 0; t < maps; ++t) {
    result.covariateNames.push_back(input.tissueNames[t]);
    for (std::int64_t i = 0; i < m; ++i) z(i, t + 1) = input.tissue->at(result.voxels[i], t);
  }
  checkCovariates(z, result.covariateNames);
  for (auto& group : problem.groups) {
    auto columns = z.middleRows(group.begin, group.end - group.begin);
    columns.rightCols(maps).rowwise() -= columns.rightCols(maps).colwise().mean().eval();
    const Eigen::MatrixXd zz = columns.transpose() * columns;
    group.zz.assign(zz.data(), zz.data() + zz.size());
  }
  problem.z.resize(z.size());
  Eigen::Map<Eigen::MatrixXf>(problem.z.data(), z.rows(), z.cols()) = z.cast<float>();
}

/// The matrix that converts the covariance of x to that of Tx, both packed as the rows of their lower
/// triangles (k (k + 1) / 2 numbers).
Eigen::MatrixXd packedTransform(const Eigen::MatrixXd& t) {
  const Eigen::Index k = t.rows();
  Eigen::MatrixXd packed = Eigen::MatrixXd::Zero(k * (k + 1) / 2, k * (k + 1) / 2);
  for (Eigen::Index i = 0; i < k; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      for (Eigen::Index a = 0; a < k; ++a)
        for (Eigen::Index b = 0; b < k; ++b)
          packed(i * (i + 1) / 2 + j, std::max(a, b) * (std::max(a, b) + 1) / 2 + std::min(a, b)) +=
              t(i, a) * t(j, b);
  return packed;
}

}  // namespace

void transformVoxels(const Eigen::MatrixXd& matrix, const std::vector<float>& from, std::int64_t voxels,
                     std::vector<float>& to, const Progress& progress) {
  using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  to.resize(matrix.rows() * voxels);
  const Eigen::Map<const FloatRows> source(from.data(), matrix.cols(), voxels);
  Eigen::Map<FloatRows> target(to.data(), matrix.rows(), voxels);
  parallelForBlocks(voxels, 1024, progress, [&](std::int64_t begin, std::int64_t end) {
    target.middleCols(begin, end - begin) =
        (matrix * source.middleCols(begin, end - begin).cast<double>()).cast<float>();
  });
}

void setMoments(ActivationResult& result, const GibbsMoments& moments, const Progress& progress) {
  const GibbsProblem& problem = *result.problem;
  const Eigen::MatrixXd t = betaFromGamma(problem);
  transformVoxels(t, moments.mean, problem.voxels, result.mean, progress.part(0, 0.3, "Maps"));
  transformVoxels(packedTransform(t), moments.covariance, problem.voxels, result.covariance,
                  progress.part(0.3, 1, "Maps"));
}

void setGroups(ActivationResult& result) {
  const GibbsProblem& problem = *result.problem;
  const int k = problem.regressors, q = problem.covariates, kept = result.sampling.kept();
  const int groups = int(problem.groups.size()), chains = result.sampling.chains;
  const Eigen::MatrixXd& l = problem.factor;
  result.groups.clear();
  for (int g = 0; g < groups; ++g) {
    Eigen::MatrixXd v = Eigen::MatrixXd::Zero(k, k), delta = Eigen::MatrixXd::Zero(q, k);
    for (int chain = 0; chain < chains; ++chain)
      for (int draw = 0; draw < kept; ++draw) {
        const std::size_t at = (std::size_t(chain) * groups + g) * kept + draw;
        v += Eigen::Map<const Eigen::MatrixXd>(result.samples->vBeta.data() + at * k * k, k, k);
        delta += Eigen::Map<const Eigen::MatrixXd>(result.samples->delta.data() + at * q * k, q, k);
      }
    const double count = double(kept) * chains;
    const SymmetricEigen eigen = symmetricEigen(l.transpose() * (v / count) * l);
    result.groups.push_back({eigen.vectors, eigen.values,
                             eigen.vectors.transpose() * l.transpose() * (delta / count).transpose()});
  }
}

GibbsOptions samplingOf(const ActivationOptions& options) {
  const int draws = options.draws > 0 ? options.draws : kFirstDraws;
  const int burnIn = options.burnIn < 0 ? draws / 10 : options.burnIn;
  const int thinning = options.thinning > 0 ? options.thinning : 5;
  return {draws, burnIn, thinning, options.chains, options.interweaving, std::uint64_t(options.seed)};
}

ActivationResult prepareActivation(const ActivationInput& given, const ActivationOptions& options,
                                   const Progress& progress) {
  ActivationResult result;
  result.sampling = samplingOf(options);
  checkSampling(result.sampling);
  checkInput(given, options);
  ActivationInput input = given;
  result.grid = input.bold->grid;
  result.bold = input.bold;
  result.response = options.response;
  result.notes = input.design.notes;

  const bool automatic = !input.mask;
  const Mask found = automatic ? automaticMask(*input.bold, progress.part(0, 0.3, "Mask")) : Mask();
  const auto voxels = candidates(automatic ? found : *input.mask, options.slice, automatic);

  takeOutJumps(*input.bold, options, voxels, input.design, result.notes, progress.part(0.3, 0.35, "Jumps"));
  result.design = input.design;

  auto problem = std::make_shared<GibbsProblem>();
  const auto confounds = int(input.design.confounds.cols()), k = input.design.regressors();
  problem->scans = input.design.scans() - confounds;
  problem->regressors = k;
  const ThinQr qr = decompositionOf(input.design);
  const std::vector<SliceBasis> bases = basesOf(input.design);
  problem->factor = qr.r.bottomRightCorner(k, k).transpose();

  const bool memory = hasMemory(options, problem->scans - problem->regressors, result.notes);
  const VoxelFits fit =
      fitVoxels(input, options.response, bases, voxels, memory, progress.part(0.35, 0.7, "Least squares"));
  if (const auto note = exclusionNote(fit); !note.empty()) result.notes.push_back(note);
  const auto lagSums = keepVoxels(voxels, fit, result, *problem);
  makeGroups(options.scope, result, *problem);
  setPrecisions(bases, result.grid, result.voxels, *problem);
  if (memory) {
    auto noise =
        std::make_shared<NoiseModel>(estimateNoise(result, *problem, options.noise, {lagSums, qr.q},
                                                   input.tissue.get(), progress.part(0.7, 0.8, "Noise")));
    result.notes.push_back(noiseNote(*noise));
    if (!noise->white()) {
      result.noise = std::move(noise);
      fitWhitened(input, options.response, bases, result, *problem, progress.part(0.8, 0.9, "Noise"));
    }
  }
  if (options.errorPrior == ErrorPrior::residual)
    for (std::size_t i = 0; i < problem->residual.size(); ++i)
      problem->errorPrior[i] = problem->residual[i] / float(problem->scans - problem->regressors);
  transformVoxels(betaFromGamma(*problem), problem->estimate, problem->voxels, result.leastSquares,
                  progress.part(0.9, 1, "Least squares"));
  makeCovariates(input, result, *problem);
  result.deltaMean = deltaMeanFrom(options.deltaMean, int(result.covariateNames.size()), result.regressors());
  makePriors(options, result, *problem);
  ActivationOptions ofMean = options;
  if (!memory) ofMean.noise = Noise::white;
  findCommonNoise(input, ofMean, qr.q, result, *problem, progress.part(0.9, 1, "Common noise"));
  if (automatic) {
    result.notes.push_back(text("Automatic mask: ", problem->voxels, " voxels are analyzed."));
    if (const auto unsound = unsoundText(checkValues(input.bold->values)); !unsound.empty())
      result.notes.push_back("The automatic mask excludes voxels with unusable values: " + unsound + ".");
  }
  result.problem = std::move(problem);
  return result;
}

}  // namespace sulcus::activation
