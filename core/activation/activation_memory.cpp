#include "core/activation/activation_memory.h"

#include "core/activation/model/noise.h"
#include "core/activation/sampler/gibbs_kernel.h"
#include "core/activation/sampler/gibbs_lanes.h"
#include "core/activation/sampler/gibbs_plan.h"

namespace sulcus::activation {

double gibbsBytes(const GibbsProblem& problem, const GibbsOptions& options) {
  const int k = problem.regressors, q = problem.covariates;
  const double groups = double(problem.groups.size()), chains = options.chains;
  // Each group is padded to whole tiles.
  const double inTiles = double(problem.voxels) + groups * (kTile - 1);
  const double ofSlot =
      TileLayout{k, q, problem.correlated}.size() + 1 + chains * (1 + MomentLayout{k}.size());
  const double ofResult = 3 * k + k * (k + 1) / 2 + 2;
  const double ofDraw = HyperLayout{k, q}.size(), ofKept = k * k + q * k;
  const double proposed = problem.fits.empty() ? 0 : 4 * ofDraw + 8 * ofKept + 20;  // for every iteration
  return 4 * (inTiles * ofSlot + double(problem.voxels) * ofResult) +
         groups * chains * ((4 * ofDraw + proposed) * options.draws + 8 * ofKept * options.kept());
}

double activationBytes(const GibbsProblem& problem, const GibbsOptions& options, const Grid& grid,
                       int contrasts) {
  const double k = problem.regressors, q = problem.covariates, covariances = k * (k + 1) / 2;
  // H and the partial autocorrelations of the noise.
  const double ofNoise = problem.correlated ? covariances + kNoiseLags : 0;
  const double ofProblem = 2 * k + q + 4 + ofNoise, ofPosterior = 2 * k + covariances;
  // A contrast has an estimate, a standard error, degrees of freedom and three normals in the voxels, and on
  // the grid ppm_, lfdr_, shown_, mean_, sd_, t_, z_ and the two ends of interval_.
  const double ofContrasts = 9.0 * contrasts, ofMaps = 9.0 * contrasts + k + 5;
  return 4 * (double(problem.voxels) * (ofProblem + ofPosterior + ofContrasts) +
              double(grid.voxels()) * ofMaps) +
         gibbsBytes(problem, options);
}

}  // namespace sulcus::activation
