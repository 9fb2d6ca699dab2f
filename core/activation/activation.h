#pragma once

#include "core/activation/design.h"
#include "core/activation/gibbs.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/volume.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus {

enum class Response { standardized, percent, raw };
enum class ErrorPrior { residual, total };
enum class Scope { volume, slices };

/// Bayesian multilevel analysis of an fMRI series: y = Xβ + ε in each voxel, β = Δ'z + ν between them
/// (ENGINES.md §2). Names of Ferreira da Silva, Comput Methods Programs Biomed (2010).
struct ActivationOptions {
  int draws = 3000, thinning = 5;
  int burnIn = -1;  ///< -1: a tenth of the draws
  int chains = 2;
  std::int64_t seed = 1;
  double nuE = 3;
  double nu = 0;      ///< 0: ν_e + k
  double vScale = 0;  ///< V = vScale ν I; 0: the spread of the least-squares β in place of vScale I
  double a = 0.01;
  Response response = Response::standardized;
  ErrorPrior errorPrior = ErrorPrior::residual;
  RandomGenerator rng = RandomGenerator::philox;
  Scope scope = Scope::volume;
  int slice = 0;              ///< 1-based; 0: all
  double gamma = 0;           ///< of P(c'β > γ)
  double probability = 0.95;  ///< shown where P is at least this
  std::string contrast;       ///< "0 1 0 0 0; name: 0 0 0 1 0": beside the regressors themselves
  bool saveDraws = false;
  // … describe() below
};

/// One image and what is known about it. Shared, never changed.
struct ActivationInput {
  std::shared_ptr<const Series<float>> bold;    ///< n volumes
  std::shared_ptr<const Mask> mask;             ///< null: an automatic one
  Design design;                                ///< of bold->count rows
  std::shared_ptr<const Series<float>> tissue;  ///< maps for the second level, on bold's grid; may be null
  std::vector<std::string> tissueNames;         ///< one per map
  std::function<void(const struct ActivationResult&)>
      preview;  ///< on the worker, a few times a second; may be empty
};

/// The posterior of a run. Shared by its maps, charts and comparisons.
struct ActivationResult {
  Grid grid;
  Design design;
  std::vector<std::string> covariateNames;  ///< q, "intercept" first
  std::vector<std::int64_t> voxels;         ///< M: index in the grid of each voxel worked on
  std::vector<std::string> groupNames;      ///< "volume", or "slice 3", …
  std::shared_ptr<const GibbsProblem> problem;
  GibbsOptions sampling;  ///< as it ran
  std::shared_ptr<const GibbsResult> samples;
  std::vector<float> mean;           ///< (k, M): posterior mean of β, in the response's unit
  std::vector<float> covariance;     ///< (k(k+1)/2, M), rows of the lower triangle: of β
  std::vector<float> leastSquares;   ///< (k, M)
  std::shared_ptr<const Mask> mask;  ///< the voxels worked on
  std::vector<std::string> notes;
  std::vector<StageTime> stages;
};

using AnalyzeActivation = ActivationResult(const ActivationInput&, const ActivationOptions&, const Progress&);
AnalyzeActivation analyzeActivation;

}  // namespace sulcus
