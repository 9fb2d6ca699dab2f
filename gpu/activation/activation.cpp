#include "gpu/activation/activation.h"

#include "core/activation/gibbs_plan.h"
#include "core/base/stage_clock.h"
#include "gpu/activation/gibbs_run.h"
#include "gpu/runtime/batches.h"

#include <algorithm>

namespace sulcus::gpu::activation {
using namespace sulcus::activation;
namespace {

constexpr double kBetweenPreviews = 0.3;  // seconds

/// Iterations of the first batch, so that it ends long before 100 ms.
std::int64_t firstBatch(const GibbsProblem& problem, const GibbsOptions& options) {
  const double k = problem.regressors;
  const double slow = options.generator == RandomGenerator::philox ? 1 : 20;
  const double voxels = double(problem.voxels) * options.chains * (k + 10) * (k + 10) * slow;
  return std::clamp<std::int64_t>(std::int64_t(5e9 / (voxels + 1000 * k * k * k)), 1, 64);
}

}  // namespace

GibbsResult sampleGibbs(const GibbsProblem& problem, const GibbsOptions& options, const GibbsPreview& preview,
                        const Progress& progress) {
  requireDraws(options);
  requireDevice();
  const Stream stream;
  GibbsRun run(problem, options, stream);
  run.start();
  StageClock sincePreview;
  inBatches(
      options.draws, stream, progress, firstBatch(problem, options),
      [&](std::int64_t begin, std::int64_t end) {
        if (preview && options.keptBefore(int(begin)) > 0 && sincePreview.seconds() > kBetweenPreviews) {
          preview(run.moments(int(begin)), double(begin) / options.draws);
          sincePreview.restart();
        }
        run.run(begin == 0 ? -1 : int(begin), int(end));
      });
  return run.result();
}

ActivationResult analyzeActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress) {
  requireDevice();
  return sulcus::activation::analyzeActivation(sampleGibbs, input, options, progress);
}

}  // namespace sulcus::gpu::activation
