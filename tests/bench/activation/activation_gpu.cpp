#include "tests/bench/activation/activation_gpu.h"

#include "gpu/activation/activation.h"
#include "gpu/activation/gibbs_run.h"
#include "gpu/runtime/device.h"
#include "tests/bench/measure.h"

namespace sulcus::bench {

GpuSampling timeGpuSampling(const activation::GibbsProblem& problem,
                            const activation::GibbsOptions& options) {
  gpu::requireDevice();
  GpuSampling result;
  result.deviceBytes = gpu::activation::gibbsDeviceBytes(problem, options);
  {
    const gpu::Stream stream;
    gpu::activation::GibbsRun run(problem, options, stream);
    const gpu::Event before, after;
    std::vector<double> kernels;
    result.residentSeconds = medianSeconds([&] {
      run.start();
      before.record(stream);
      run.run(-1, options.draws);
      after.record(stream);
      stream.synchronize();
      kernels.push_back(after.secondsSince(before));
    });
    result.kernelSeconds = median({kernels.begin() + 1, kernels.end()});
  }
  result.transferSeconds =
      medianSeconds([&] { result.moments = gpu::activation::sampleGibbs(problem, options, {}, {}).moments; });
  return result;
}

}  // namespace sulcus::bench
