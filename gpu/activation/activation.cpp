#include "gpu/activation/activation.h"

#include "core/activation/sampler/gibbs_plan.h"
#include "core/base/stage_clock.h"
#include "gpu/activation/gibbs_run.h"
#include "gpu/runtime/batches.h"
#include "gpu/runtime/devices.h"

#include <algorithm>
#include <memory>

namespace sulcus::gpu::activation {
using namespace sulcus::activation;
namespace {

constexpr double kBetweenPreviews = 0.3;  // seconds

/// Iterations of the first batch, few enough to end long before 100 ms.
std::int64_t firstBatch(const GibbsProblem& problem, const GibbsOptions& options) {
  const double k = problem.regressors;
  const double voxels = double(problem.voxels) * options.chains * (k + 10) * (k + 10);
  return std::clamp<std::int64_t>(std::int64_t(5e9 / (voxels + 1000 * k * k * k)), 1, 64);
}

/// The chains of a problem, which the chosen devices share and draw in parallel.
class SharedChains {
 public:
  SharedChains(const GibbsProblem& problem, const GibbsOptions& options, const DeviceQueues& queues)
      : queues_(queues) {
    const int shares = std::min(int(queues.size()), options.chains);
    std::vector<int> devices;
    for (int i = 0; i < shares; ++i) devices.push_back(queues[std::size_t(i)].device());
    runs_.resize(devices.size());
    onEachDevice(devices, [&](int i) {
      const auto at = std::size_t(i);
      const ChainRange chains{options.chains * i / shares, options.chains * (i + 1) / shares};
      runs_[at] = std::make_unique<GibbsRun>(problem, options, queues[at].stream(), chains);
      runs_[at]->start();
    });
  }

  /// Queues iterations, see GibbsRun::run().
  void run(int first, int last) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const OnDevice there(queues_[i].device());
      runs_[i]->run(first, last);
    }
  }
  GibbsMoments moments(int done) { return gathered().moments(done); }
  GibbsResult result() { return gathered().result(); }

 private:
  /// The first run, with the draws of all chains; between batches no other work is pending.
  GibbsRun& gathered() {
    for (std::size_t i = 1; i < runs_.size(); ++i)
      runs_.front()->takeChains(*runs_[i], queues_.front().device(), queues_[i].device());
    return *runs_.front();
  }

  const DeviceQueues& queues_;
  std::vector<std::unique_ptr<GibbsRun>> runs_;
};

}  // namespace

GibbsResult sampleGibbs(const GibbsProblem& problem, const GibbsOptions& options, const GibbsPreview& preview,
                        const Progress& progress) {
  requireDraws(options);
  requireDevice();
  const DeviceQueues queues(chosenDevices());
  SharedChains chains(problem, options, queues);
  StageClock sincePreview;
  inBatches(
      options.draws, queues, progress, firstBatch(problem, options),
      [&](std::int64_t begin, std::int64_t end) {
        if (preview && options.keptBefore(int(begin)) > 0 && sincePreview.seconds() > kBetweenPreviews) {
          preview(chains.moments(int(begin)), double(begin) / options.draws);
          sincePreview.restart();
        }
        chains.run(begin == 0 ? -1 : int(begin), int(end));
      });
  return chains.result();
}

namespace {
bool fits(const GibbsProblem& problem, const GibbsOptions& options) {
  return gibbsDeviceBytes(problem, options) <= double(freeMemory());
}
}  // namespace

ActivationResult analyzeActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress) {
  requireDevice();
  return sulcus::activation::analyzeActivation({sampleGibbs, DrawsOn::device, fits}, input, options,
                                               progress);
}

}  // namespace sulcus::gpu::activation
