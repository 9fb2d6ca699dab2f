#include "core/base/error.h"
#include "gpu/activation/gibbs_fixed.h"
#include "gpu/activation/gibbs_general.cuh"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device.h"

#include <string>

namespace sulcus::gpu::activation {
using namespace sulcus::activation;
inline namespace gibbs_kernels {

constexpr int kReservedBytes = 1024;  // of each block's shared memory, reserved by the system

using GeneralKernel = void(GibbsJob, int, int);

GeneralKernel* generalKernel(bool correlated) {
  return correlated ? &generalGibbs<true> : &generalGibbs<false>;
}

__global__ void fold(const __grid_constant__ GibbsJob job, int done, float* out) {
  const std::int64_t voxel = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x, m = job.voxels;
  if (voxel >= m) return;
  const int k = job.k;
  const MomentLayout layout{k};
  float *const mean = out + voxel, *const rhat = mean + k * m, *const ess = rhat + k * m,
               *const covariance = ess + k * m, *const sigma2 = covariance + k * (k + 1) / 2 * m;
  const ChainSums sums{job.moments + voxel, m,    layout.size() * m, job.chains,
                       job.keptCount,       done, job.plan,          job.squares[voxel] * job.perFreedom};
  combineChains(k, job.inverse, sums, {mean, covariance, sigma2, rhat, ess, m});
  for (int j = 0; j < k; ++j) mean[j * m] += job.estimate[j * m + voxel];
}

}  // namespace gibbs_kernels

GibbsShape gibbsShape(int k, int q, bool correlated, bool interwoven) {
  if (hasFixed(k, q)) return {kFixedThreads, multiprocessors(), 0};
  const int bytes = sharedBytesPerBlock() - kReservedBytes;
  const int threads = generalThreads({k, q, correlated, interwoven}, bytes);
  if (threads == 0) {
    int most = k;
    while (generalThreads({--most, q, correlated, interwoven}, bytes) == 0) {
    }
    throw Error(std::to_string(k) + " regressors are too many for the GPU",
                "it has room for " + std::to_string(most), "use fewer, or run on the CPU");
  }
  const auto shared = int(GeneralLayout{k, q, correlated, interwoven}.bytes(threads));
  GeneralKernel* const kernel = generalKernel(correlated);
  SULCUS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  int perMultiprocessor = 0;
  SULCUS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel, threads, shared));
  return {threads, multiprocessors() * perMultiprocessor, GeneralLayout{k, q}.workSize()};
}

void runGibbs(const GibbsJob& job, int first, int last, const Stream& stream) {
  SULCUS_CUDA(
      cudaMemsetAsync(job.arrived, 0, std::size_t(job.blockCount) * sizeof *job.arrived, stream.get()));
  if (hasFixed(job.k, job.q)) return runFixed(job, first, last, stream);
  launchBlocks(generalKernel(job.correlated()), job,
               int(GeneralLayout{job.k, job.q, job.correlated(), job.interwoven}.bytes(job.threads)), stream,
               first, last);
}

void foldGibbs(const GibbsJob& job, int done, float* out, const Stream& stream) {
  constexpr int threads = 128;
  fold<<<blocksFor(job.voxels, threads), threads, 0, stream.get()>>>(job, done, out);
  SULCUS_CUDA_LAUNCHED("fold");
}

}  // namespace sulcus::gpu::activation
