#pragma once

#include "core/activation/design/design.h"
#include "core/activation/sampler/gibbs.h"
#include "core/base/memory/memo.h"
#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/volume.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::activation {

/// How the series of a voxel is transformed before it is analyzed: to mean 0 and s.d. 1, to the change in
/// percent of its mean, or not at all.
enum class Response { standardized, percent, raw };
/// The center of the prior of a voxel's error variance: the variance of the least-squares residuals, or the
/// variance of the response.
enum class ErrorPrior { residual, total };
/// How the noise of a voxel depends on that of previous scans: not at all (white), or as an autoregressive
/// process of this order; `automatic` chooses an order of at most 3 for each voxel.
enum class Noise { automatic, white, ar1, ar2, ar3 };
/// Which coefficients may vary together over the voxels: all of them, those of a condition and its
/// derivatives, or none. V_β is 0 elsewhere.
enum class Covariance { full, block, diagonal };
/// Which voxels share hyper-parameters: all of them, or those of a slice.
enum class Scope { volume, slices };

/// Draws of each chain if it is to run until it converges: initially if hyper-parameters are proposed
/// (hyper_proposals.h), initially if they are drawn, and at most.
inline constexpr int kFirstProposed = 800, kFirstDraws = 3000, kMostDraws = 30000;

/// Bayesian multilevel analysis of an fMRI series: y = Xβ + ε in each voxel, β = Δ'z + ν between them, with
/// series and design whitened where the noise ε has memory (resources/design/engines.md). The names are those
/// of Ferreira da Silva, Comput Methods Programs Biomed (2010).
struct ActivationOptions {
  int draws = 0;     ///< 0: as many as needed for the chains to converge, at most kMostDraws
  int thinning = 0;  ///< 0: 1 if hyper-parameters are proposed and draws are few, else 5
  int burnIn = -1;   ///< -1: a tenth of the draws
  int chains = 2;
  std::int64_t seed = 1;
  double nuE = 3;
  double nu = 0;      ///< 0: ν_e + k
  double vScale = 0;  ///< V = vScale ν I; 0: the variances of the least-squares β in place of vScale I
  double a = 0.01;
  std::string deltaMean;  ///< Δ̄, the prior mean of Δ, rows of numbers separated by ';'; empty: 0
  Response response = Response::standardized;
  Noise noise = Noise::automatic;
  ErrorPrior errorPrior = ErrorPrior::residual;
  RandomGenerator rng = RandomGenerator::philox;
  Covariance covariance = Covariance::block;
  bool interweaving = true;
  bool commonNoise = true;  ///< noise common to all voxels reduces their certainty (common_noise.h)
  bool jumps = true;        ///< scans that jump are detected and removed (jumps.h)
  Scope scope = Scope::volume;
  int slice = 0;              ///< counted from 1; 0: all
  double gamma = 0;           ///< the γ of P(c'β > γ), in the unit of the response
  double probability = 0.95;  ///< voxels are shown where P is at least this
  double fdr = 0.05;          ///< if above 0: the share of false voxels among those shown, in place of
                              ///< `probability`
  std::string contrast;       ///< "0 1 0 0 0; name: 0 0 0 1 0": contrasts in addition to the regressors
  bool saveDraws = false;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(contrast, adjustable([] {
            OptionInfo info =
                textOption("contrast", "Contrasts",
                           "Weights of the regressors, intercept first, as in \"0 1 0 -1 0\" or "
                           "\"name: 0 1 0 -1 0\", or a sum of them, \"faces - houses\"; several are "
                           "separated by ;. An F contrast asks whether any of several rows differs from 0: "
                           "\"F(faces - houses; houses - objects)\". The effects of the regressors "
                           "themselves are always there.");
            info.list = true;
            return info;
          }()));
    visit(fdr, adjustable(withLowest(
                   "off", numberOption("fdr", "False discoveries", "", {0, 0.5, 0.01},
                                       "False discovery rate: shows as many voxels as possible while at most "
                                       "this share of them is expected to have no effect, or none above γ "
                                       "(two-group model). 0 (off): the probability threshold decides."))));
    visit(
        probability,
        unless("fdr", adjustable(numberOption("probability", "Probability", "", {0, 1, 0.01},
                                              "Without a share of false discoveries, voxels are shown where "
                                              "P(effect > γ) is at least this."))));
    visit(gamma, adjustable(numberOption("gamma", "γ: effect", "", {-1e6, 1e6, 0.05},
                                         "The maps ppm_… show the probability that an effect is larger than "
                                         "this, in the response's unit.")));
    visit(draws, advanced(withLowest(
                     "until converged",
                     numberOption("draws", "Draws", "", {0, 1e6, 500},
                                  "Iterations of each chain, burn-in included. 0 takes 800 (3000 in groups "
                                  "of few voxels), and more (at most 30000) until the chains "
                                  "agree and Δ and V_β are worth 400 independent draws. Four times as many "
                                  "halve the Monte Carlo error of every map and take four times as long."))));
    visit(thinning,
          advanced(withLowest(
              "auto", numberOption(
                          "thinning", "Thinning", "", {0, 1000, 1},
                          "Keeps one of this many iterations for maps, tables and diagnostics. 1 keeps all, "
                          "larger values save memory. 0 takes 1 where draws are few (see Draws), else 5."))));
    visit(burnIn,
          advanced(withLowest(
              "10 %", numberOption(
                          "burn-in", "Burn-in", "", {-1, 1e6, 100},
                          "Iterations dropped at the start of each chain, while it still depends on where it "
                          "started. -1 drops a tenth of the draws."))));
    visit(chains,
          advanced(numberOption("chains", "Chains", "", {1, 16, 1},
                                "Independent runs of the sampler. R̂ compares them: with one it can only "
                                "compare the halves of it.")));
    visit(seed, advanced(numberOption("seed", "Seed", "", {0, 2147483647, 1},
                                      "Seed of the random numbers: the same seed gives the same maps.")));
    visit(nuE,
          advanced(formerly(
              "nu-e",
              numberOption("noise-prior-dof", "ν_e: prior of the noise", "", {0.1, 1e6, 1},
                           "Degrees of freedom of the prior on each voxel's noise variance: the prior weighs "
                           "as much as this many scans. Larger values shrink the variances towards it."))));
    visit(nu, advanced(withLowest(
                  "auto",
                  formerly("nu", numberOption(
                                     "covariance-dof", "ν: prior of V_β", "", {0, 1e7, 1},
                                     "Degrees of freedom of the inverse-Wishart prior on V_β, the covariance "
                                     "of the coefficients over the voxels: the prior weighs as much as this "
                                     "many voxels. 0 takes ν_e + the number of regressors.")))));
    visit(vScale,
          advanced(withLowest(
              "auto",
              formerly(
                  "v-scale",
                  numberOption("covariance-scale", "Scale of V", "", {0, 1e9, 0.1},
                               "V = scale · ν · I, the prior's guess at V_β times ν. Smaller values pull the "
                               "coefficients of the voxels together. 0 takes the spread of the least-squares "
                               "coefficients instead, which knows their units.")))));
    visit(a,
          advanced(formerly(
              "a", numberOption("prior-precision", "A: prior of Δ", "", {1e-6, 1e6, 0.01},
                                "Precision of the prior on Δ, in units of voxels: A = a · I. Larger values "
                                "pull the mean coefficients to 0."))));
    visit(deltaMean, advanced(textOption(
                         "delta-mean", "Δ̄: prior mean of Δ",
                         "One number for each regressor, the intercept first, as in \"0 0.5 0\": the effects "
                         "that are expected before the scan is seen. Rows for covariates follow after ;. "
                         "Empty is 0 (the paper's).")));
    visit(response,
          advanced(choiceOption(
              "response", "Response", {"standardized", "percent", "raw"},
              "What is analyzed in each voxel: the series with mean 0 and s.d. 1 (the paper's), its "
              "change in percent of its mean, or the series as it is. Coefficients have its unit.")));
    visit(noise,
          advanced(choiceOption(
              "noise", "Noise", {"auto", "white", "ar1", "ar2", "ar3"},
              "How the noise of a scan depends on that of the scans before: not at all (white, the "
              "paper's), or on the last one, two or three (autoregressive, estimated in each voxel and its "
              "neighbors). auto chooses by voxel. Noise with memory that is taken for white makes "
              "probabilities too large.")));
    visit(errorPrior,
          advanced(choiceOption("error-prior", "Noise prior from", {"residual", "total"},
                                "Where the prior of a voxel's noise variance has its center: the variance of "
                                "the least-squares residuals, or of the whole response (the paper's)")));
    visit(rng,
          advanced(choiceOption(
              "rng", "Random numbers", {"philox", "multicarry", "xorgens", "mt19937"},
              "The generator. philox gives the same stream on CPU and GPU; the others are for comparison.")));
    visit(covariance,
          advanced(choiceOption(
              "covariance", "V_β: covariance", {"full", "block", "diagonal"},
              "Which coefficients may vary together over the voxels: all (full, the paper's), those "
              "of a condition with its derivatives (block), or none (diagonal). With full, the "
              "effect of a weak regressor is drawn from those of the others.")));
    visit(interweaving,
          advanced(toggleOption("interweaving", "Interweaving",
                                "Draws Δ and V_β with the coefficients integrated out (CPU, many voxels), or "
                                "moves them together: draws are less alike. The posterior is the same; the "
                                "paper's sampler goes without.")));
    visit(commonNoise,
          advanced(toggleOption("common-noise", "Common noise",
                                "Allows for noise common to all voxels, e.g. from breathing: the mean effect "
                                "is no more certain than the regression of the mean series. Without it (the "
                                "paper's model) such noise makes all voxels active at once.")));
    visit(jumps, advanced(toggleOption("jumps", "Find jumps",
                                       "Excludes scans whose brightness, or its spread over the voxels, "
                                       "jumps by more than noise explains. A note lists them.")));
    visit(scope,
          advanced(choiceOption("scope", "Scope", {"volume", "slices"},
                                "Voxels that share one Δ and V_β: the whole volume, or each slice apart (the "
                                "paper's).")));
    visit(slice,
          advanced(withLowest(
              "all",
              numberOption("slice", "Slice", "", {0, 100000, 1},
                           "Works on this slice only, counted from 1 along the third axis. 0 takes all."))));
    visit(saveDraws, advanced(toggleOption("save-draws", "Save all draws",
                                           "Also gives every kept draw of every coefficient, a series per "
                                           "regressor. Use it with a small mask.")));
  }
};

/// The options of Ferreira da Silva (2010) and its R package that differ from the defaults: white noise, one
/// chain, each slice separately, s² = var(y), V = ν I, a full V_β and plain Gibbs draws. The package drops
/// the first tenth of the draws, as burn-in -1 does. Voxels are treated as independent, and no scan is
/// removed.
OptionValues paperActivation();

/// One functional scan and its metadata. Images are shared and never modified.
struct ActivationInput {
  std::shared_ptr<const Series<float>> bold;    ///< n volumes, in any unit
  std::shared_ptr<const Mask> mask;             ///< on bold's grid; null: an automatic one
  Design design;                                ///< bold->count rows
  std::shared_ptr<const Series<float>> tissue;  ///< maps for the second level, on bold's grid; may be null
  std::vector<std::string> tissueNames;         ///< one per map
  /// Called on the working thread a few times a second with the result so far; may be empty.
  std::function<void(const struct ActivationResult&)> preview;
};

/// Posterior means of the hyper-parameters of a group, of γ = L'β (core/activation/sampler/gibbs.h).
struct GroupPosterior {
  Eigen::MatrixXd axes;    ///< U, k × k: column j is an eigenvector of V_γ
  Eigen::VectorXd scales;  ///< k, its eigenvalues
  Eigen::MatrixXd means;   ///< U'Δ', k × q
};

struct GroupedEstimates;  // core/activation/results/mixture_fdr.h
struct GroupedJoint;      // core/activation/results/joint_estimates.h
struct MixtureShape;      // core/activation/model/mixture_shape.h
struct NoiseModel;        // core/activation/model/noise.h

/// The posterior of a run, from which its maps, charts and comparisons are made. (k, M) means k values for
/// each of the M analyzed voxels, voxels fastest.
struct ActivationResult {
  Grid grid;
  Design design;
  std::shared_ptr<const Series<float>> bold;  ///< the series that was analyzed
  Response response = Response::standardized;
  std::vector<std::string> covariateNames;  ///< q, "intercept" first
  std::vector<std::int64_t> voxels;         ///< M: grid index of each analyzed voxel, ascending
  std::vector<std::string> groupNames;      ///< "volume", or "slice 3", …
  std::shared_ptr<const GibbsProblem> problem;
  std::shared_ptr<const NoiseModel> noise;     ///< null if it is assumed to be white
  Eigen::MatrixXd deltaMean;                   ///< Δ̄, q × k; empty: 0
  GibbsOptions sampling;                       ///< as used by the chains
  std::shared_ptr<const GibbsResult> samples;  ///< in a preview, only its moments
  std::vector<GroupPosterior> groups;          ///< empty in a preview
  std::vector<float> mean;                     ///< (k, M): posterior mean of β, in the unit of the response
  std::vector<float> covariance;     ///< (k(k+1)/2, M): posterior covariance of β, lower triangle by rows
  std::vector<float> leastSquares;   ///< (k, M): least-squares β of the whitened series
  std::shared_ptr<const Mask> mask;  ///< the analyzed voxels
  Notes notes;                       ///< what was chosen or left out
  std::vector<StageTime> stages;
  /// Results for contrasts, by their weights, that do not depend on adjustable options.
  template <class Value>
  using OfContrasts = Memo<std::vector<double>, std::shared_ptr<const Value>>;
  std::shared_ptr<OfContrasts<GroupedEstimates>> grouped =
      std::make_shared<OfContrasts<GroupedEstimates>>(256);
  std::shared_ptr<OfContrasts<MixtureShape>> shapes = std::make_shared<OfContrasts<MixtureShape>>(256);
  std::shared_ptr<OfContrasts<GroupedJoint>> joint = std::make_shared<OfContrasts<GroupedJoint>>(64);

  std::int64_t count() const { return std::int64_t(voxels.size()); }  ///< M
  int regressors() const { return design.regressors(); }              ///< k
};

/// Analyzes a scan. Throws Error for unsuitable input (before the first draw), and Cancelled.
using AnalyzeActivation = ActivationResult(const ActivationInput&, const ActivationOptions&, const Progress&);

/// On the CPU, on all threads of the withThreads() scope.
AnalyzeActivation analyzeActivation;

/// Where a sampler draws; while a device does, the CPU is free for work that needs no draws.
enum class DrawsOn { processor, device };

/// A backend of the sampler.
struct Sampler {
  SampleGibbs& sample;
  DrawsOn where;
  /// Whether enough memory is free for this many draws. Called before the chains are lengthened.
  bool (&fits)(const GibbsProblem&, const GibbsOptions&);
};

/// Analyzes with any backend: everything before and after the draws.
ActivationResult analyzeActivation(const Sampler& sampler, const ActivationInput& input,
                                   const ActivationOptions& options, const Progress& progress);

/// The unit of β and of the response: "s.d.", "%" or "".
std::string responseUnit(Response response);

}  // namespace sulcus::activation
