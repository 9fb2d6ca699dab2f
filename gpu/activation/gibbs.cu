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

template <bool Correlated>
GeneralKernel* generalKernelOf(RandomGenerator generator) {
  switch (generator) {
    case RandomGenerator::multicarry:
      return &generalGibbs<Multicarry, Correlated>;
    case RandomGenerator::xorgens:
      return &generalGibbs<Xorgens, Correlated>;
    case RandomGenerator::mt19937:
      return &generalGibbs<MersenneTwister, Correlated>;
    case RandomGenerator::philox:
      break;
  }
  return &generalGibbs<PhiloxKey, Correlated>;
}
GeneralKernel* generalKernel(bool correlated, RandomGenerator generator) {
  return correlated ? generalKernelOf<true>(generator) : generalKernelOf<false>(generator);
}

template <class Generator>
__global__ void seed(const __grid_constant__ GibbsJob job) {
  const std::int64_t voxel = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (voxel >= job.voxels) return;
  for (int chain = 0; chain < job.chains; ++chain)
    seedStream<Generator>(job.generators + std::int64_t(chain) * Generator::kWords * job.voxels + voxel,
                          job.voxels, job.key, job.ids[voxel], std::uint32_t(chain));
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

GibbsShape gibbsShape(int k, int q, bool correlated, bool interwoven, RandomGenerator generator) {
  if (generator == RandomGenerator::philox && hasFixed(k, q)) return {kFixedThreads, multiprocessors(), 0};
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
  GeneralKernel* const kernel = generalKernel(correlated, generator);
  SULCUS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  int perMultiprocessor = 0;
  SULCUS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, kernel, threads, shared));
  return {threads, multiprocessors() * perMultiprocessor, GeneralLayout{k, q}.workSize()};
}

void runGibbs(const GibbsJob& job, RandomGenerator generator, int first, int last, const Stream& stream) {
  SULCUS_CUDA(
      cudaMemsetAsync(job.arrived, 0, std::size_t(job.blockCount) * sizeof *job.arrived, stream.get()));
  if (generator == RandomGenerator::philox && hasFixed(job.k, job.q))
    return runFixed(job, first, last, stream);
  launchBlocks(generalKernel(job.correlated(), generator), job,
               int(GeneralLayout{job.k, job.q, job.correlated(), job.interwoven}.bytes(job.threads)), stream,
               first, last);
}

void seedGenerators(const GibbsJob& job, RandomGenerator generator, const Stream& stream) {
  constexpr int threads = 256;
  const unsigned blocks = blocksFor(job.voxels, threads);
  if (generator == RandomGenerator::multicarry) seed<Multicarry><<<blocks, threads, 0, stream.get()>>>(job);
  if (generator == RandomGenerator::xorgens) seed<Xorgens><<<blocks, threads, 0, stream.get()>>>(job);
  if (generator == RandomGenerator::mt19937) seed<MersenneTwister><<<blocks, threads, 0, stream.get()>>>(job);
  SULCUS_CUDA_LAUNCHED("seed");
}

void foldGibbs(const GibbsJob& job, int done, float* out, const Stream& stream) {
  constexpr int threads = 128;
  fold<<<blocksFor(job.voxels, threads), threads, 0, stream.get()>>>(job, done, out);
  SULCUS_CUDA_LAUNCHED("fold");
}

}  // namespace sulcus::gpu::activation
