#include "core/fibers/models/models_kernel.h"
#include "gpu/fibers/fit.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/memory_access.cuh"

#include <vector>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;
inline namespace fit_kernels {

constexpr int kThreads = 128;

/// Length of a row of n floats padded to a multiple of float4.
constexpr int padded(int n) { return roundedUp(n, 4); }

/// Uploads `rows` × `columns` values, optionally transposed, with rows padded with zeros.
Buffer<float> uploadMatrix(const std::vector<float>& values, int rows, int columns, bool transposed,
                           const Stream& stream) {
  if (values.empty()) return {};
  const int outRows = transposed ? columns : rows;
  const int outColumns = transposed ? rows : columns;
  std::vector<float> out(std::size_t(outRows) * padded(outColumns), 0.0f);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      out[transposed ? j * padded(outColumns) + i : i * padded(outColumns) + j] =
          values[std::size_t(i) * columns + j];
  auto buffer = uploaded<float>(out, stream, "the fit");
  stream.synchronize();  // `out` goes out of scope
  return buffer;
}

/// sum += w · row, a padded row of U numbers; all lanes read the same addresses.
template <int U>
__device__ void addScaled(const float* row, float w, float* sum) {
#pragma unroll
  for (int u = 0; u < U; u += 4) {
    const float4 four = loadFourReadOnly(row + u);
    sum[u] += w * four.x;
    if (u + 1 < U) sum[u + 1] += w * four.y;
    if (u + 2 < U) sum[u + 2] += w * four.z;
    if (u + 3 < U) sum[u + 3] += w * four.w;
  }
}
template <int U>
__device__ float product(const float* row, const float* x) {
  float sum = 0;
#pragma unroll
  for (int u = 0; u < U; u += 4) {
    const float4 four = loadFourReadOnly(row + u);
    sum += four.x * x[u];
    if (u + 1 < U) sum += four.y * x[u + 1];
    if (u + 2 < U) sum += four.z * x[u + 2];
    if (u + 3 < U) sum += four.w * x[u + 3];
  }
  return sum;
}

struct FitJob {
  Columns columns;
  int unweighted, weighted;
  SignalTransform transform;
  const float *bValues, *matrix, *predict, *tensorFromCoefficients, *offset, *harmonicsFromTensor;
  const float *constant, *tissues;  ///< msmt only
  float perSignal;                  ///< msmt: 1/unit
  const float* signal;
  float *coefficients, *tensors, *residual, *anisotropy, *volumes;
  float* spread;  ///< csd only, else null
};

__device__ float inverseOfUnweighted(const FitJob& job, std::int64_t voxel) {
  float sum = 0;
  for (int i = 0; i < job.unweighted; ++i) sum += job.signal[i * job.columns.capacity + voxel];
  return float(job.unweighted) * (1 / sum);
}

/// coefficients = matrix · transformed signal + constant.
template <int U>
__global__ void __launch_bounds__(kThreads) project(const FitJob job) {
  const std::int64_t voxel = job.columns.begin + std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (voxel >= job.columns.end) return;
  const float inverse = inverseOfUnweighted(job, voxel);
  float sum[U] = {};
  if (job.constant)
#pragma unroll
    for (int u = 0; u < U; ++u) sum[u] = __ldg(job.constant + u);
  for (int i = 0; i < job.weighted; ++i) {
    const float ratio = job.signal[(job.unweighted + i) * job.columns.capacity + voxel] * inverse;
    addScaled<U>(job.matrix + i * padded(U), transformRatio(job.transform, ratio, job.bValues[i]), sum);
  }
#pragma unroll
  for (int u = 0; u < U; ++u) job.coefficients[u * job.columns.capacity + voxel] = sum[u];
}

/// The root of the mean square by which the V coefficients `c` miss the ratios of the weighted volumes; adds
/// these to `spread`.
template <int V>
__device__ __forceinline__ float misfitOf(const FitJob& job, std::int64_t voxel, const float* c,
                                          Spread& spread) {
  const float inverse = inverseOfUnweighted(job, voxel);
  float misfit2 = 0;
#pragma unroll 1
  for (int i = 0; i < job.weighted; ++i) {
    const float ratio = job.signal[(job.unweighted + i) * job.columns.capacity + voxel] * inverse;
    spread.add(ratio);
    const float misfit =
        ratio -
        ratioFromTransformed(job.transform, product<V>(job.predict + i * padded(V), c), job.bValues[i]);
    misfit2 += misfit * misfit;
  }
  return sqrtf(misfit2 / float(job.weighted));
}

/// Computes the volumes of the tissues from the V coefficients `c`.
template <int V>
__device__ __forceinline__ void storeVolumes(const FitJob& job, std::int64_t voxel, float scale,
                                             const float* c) {
#pragma unroll 1
  for (int t = 0; t < kTissues; ++t)
    job.volumes[t * job.columns.capacity + voxel] = scale * product<V>(job.tissues + t * padded(V), c);
}

/// Computes tensor, residual, anisotropy and volumes from the V coefficients; without coefficients, the
/// anisotropy of the tensor.
template <int U, int V>
__global__ void __launch_bounds__(kThreads) finish(const FitJob job) {
  const std::int64_t voxel = job.columns.begin + std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (voxel >= job.columns.end) return;
  float harmonics[U] = {};
  if (job.coefficients) {
    float c[V];
#pragma unroll
    for (int u = 0; u < V; ++u) c[u] = job.coefficients[u * job.columns.capacity + voxel];
    const float scale = V > U ? job.perSignal / inverseOfUnweighted(job, voxel) : 1.0f;
    if (V > U) storeVolumes<V>(job, voxel, scale, c);
#pragma unroll 1
    for (int u = 0; u < U; ++u) {
      const float entry = scale * (product<V>(job.tensorFromCoefficients + u * padded(V), c) + job.offset[u]);
      job.tensors[u * job.columns.capacity + voxel] = entry;
      addScaled<U>(job.harmonicsFromTensor + u * padded(U), entry, harmonics);
    }
    Spread spread;
    job.residual[voxel] = scale * (job.weighted ? misfitOf<V>(job, voxel, c, spread) : 0);
    if (job.spread) job.spread[voxel] = spread.deviation();
  } else {
#pragma unroll 1
    for (int u = 0; u < U; ++u)
      addScaled<U>(job.harmonicsFromTensor + u * padded(U), job.tensors[u * job.columns.capacity + voxel],
                   harmonics);
    job.residual[voxel] = 0;
  }
  job.anisotropy[voxel] = generalizedAnisotropy(harmonics, U);
  if (V > U) job.anisotropy[voxel] *= whiteMatterShare(job.volumes[voxel]);
}

template <int U>
void fitOrder(const FitConstants& constants, const FitSlab& slab, FitJob job, float* coefficients,
              float* right, const Stream& stream) {
  const unsigned blocks = blocksFor(job.columns.count(), kThreads);
  constexpr int V = U + kIsotropicTissues;
  const bool msmt = constants.model == FiberModel::msmt;
  const auto projected = [&](const Buffer<float>& matrix, float* out) {
    job.matrix = matrix.data();
    job.coefficients = out;
    (msmt ? project<V> : project<U>)<<<blocks, kThreads, 0, stream.get()>>>(job);
    SULCUS_CUDA_LAUNCHED("project");
  };
  if (constants.model == FiberModel::csd) {
    projected(constants.fit, right);
    projected(constants.start, coefficients);
    solveCsd(constants.csd, job.columns, right, coefficients, stream);
  } else if (job.weighted) {
    projected(constants.fit, coefficients);
  }
  if (msmt) solveTissues(constants.tissues, job.columns, coefficients, stream);
  job.coefficients =
      constants.model == FiberModel::sh ? const_cast<float*>(slab.signal.data()) : coefficients;
  (msmt ? finish<U, V> : finish<U, U>)<<<blocks, kThreads, 0, stream.get()>>>(job);
  SULCUS_CUDA_LAUNCHED("finish");
}

}  // namespace fit_kernels

FitConstants uploadFit(const FiberPlan& plan, const Stream& stream) {
  const int u = plan.entries, v = plan.sizes().coefficients(), n = int(plan.bValues.size());
  const bool msmt = plan.model == FiberModel::msmt, csd = plan.model == FiberModel::csd;
  FitConstants constants{plan.model, plan.order, int(plan.unweighted.size()), n, plan.transform};
  constants.bValues = uploaded<float>(plan.bValues, stream);
  const std::vector<float>* fit = &plan.fit;
  if (csd) fit = &plan.csd.projection;
  if (msmt) fit = &plan.tissues.projection;
  constants.fit = uploadMatrix(*fit, v, n, true, stream);
  constants.predict = uploadMatrix(plan.predict, n, v, false, stream);
  constants.tensorFromCoefficients = uploadMatrix(plan.tensorFromCoefficients, u, v, false, stream);
  constants.offset = uploaded<float>(plan.offset, stream);
  constants.harmonicsFromTensor = uploadMatrix(plan.harmonicsFromTensor, u, u, true, stream);
  if (csd) {
    constants.start = uploadMatrix(plan.csd.start, u, n, true, stream);
    constants.csd = uploadCsd(plan.csd, stream);
  }
  if (msmt) {
    constants.constant = uploaded<float>(plan.tissues.constant, stream);
    constants.volumes = uploadMatrix(plan.tissues.volumes, kTissues, v, false, stream);
    constants.perSignal = float(1 / plan.tissues.unit);
    constants.tissues = uploadTissues(plan.tissues, stream);
  }
  return constants;
}

std::int64_t fitConstantBytes(const FiberSizes& sizes) {
  const std::int64_t u = sizes.entries(), v = sizes.coefficients(), n = sizes.weighted;
  const bool csd = sizes.model == FiberModel::csd, msmt = sizes.model == FiberModel::msmt;
  std::int64_t rows = 0;
  if (sizes.model != FiberModel::tensor) rows += u;  // tensorFromCoefficients
  if (sizes.isFitted()) rows += (csd ? 3 : 2) * n;   // fit, predict; start
  if (msmt) rows += kTissues;                        // volumes
  std::int64_t bytes =
      4 * (u * padded(int(u)) + rows * padded(int(v)) + n + u);  // harmonicsFromTensor, bValues, offset
  if (msmt) bytes += 4 * v + tissueConstantBytes(sizes.order);   // constant
  return csd ? bytes + csdConstantBytes(sizes.order) : bytes;
}

int FitSlab::signalRows(const FiberSizes& sizes) {
  if (sizes.model == FiberModel::tensor) return 0;
  return sizes.model == FiberModel::sh ? sizes.entries() : sizes.unweighted + sizes.weighted;
}

std::int64_t FitSlab::bytesPerVoxel(const FiberSizes& sizes) {
  const bool csd = sizes.model == FiberModel::csd;
  const int fitted = csd ? 2 : int(sizes.isFitted());
  const int spread = csd ? 1 : 0;
  return 4 * (signalRows(sizes) + 2 + spread + fitted * sizes.coefficients() + sizes.tissues());
}

FitSlab::FitSlab(std::int64_t voxels, const FiberSizes& sizes, const Stream& stream)
    : capacity(voxels), signal(voxels * signalRows(sizes), stream, "the scan") {
  if (sizes.model == FiberModel::csd) {
    right = Buffer<float>(voxels * sizes.entries(), stream, "the deconvolution");
    spread = Buffer<float>(voxels, stream, "the fit");
  }
  if (sizes.isFitted()) coefficients = Buffer<float>(voxels * sizes.coefficients(), stream, "the fit");
  if (sizes.tissues()) volumes = Buffer<float>(voxels * sizes.tissues(), stream, "the fit");
  residual = Buffer<float>(voxels, stream, "the fit");
  anisotropy = Buffer<float>(voxels, stream, "the fit");
}

void fitVoxels(const FitConstants& constants, FitSlab& slab, std::int64_t begin, std::int64_t end,
               Buffer<float>& tensors, const Stream& stream) {
  if (begin >= end) return;
  FitJob job{};
  job.columns = {begin, end, slab.capacity};
  job.unweighted = constants.unweighted;
  job.weighted = constants.weighted;
  job.transform = constants.transform;
  job.bValues = constants.bValues.data();
  job.predict = constants.predict.data();
  job.tensorFromCoefficients = constants.tensorFromCoefficients.data();
  job.offset = constants.offset.data();
  job.harmonicsFromTensor = constants.harmonicsFromTensor.data();
  job.constant = constants.constant.data();
  job.tissues = constants.volumes.data();
  job.perSignal = constants.perSignal;
  job.volumes = slab.volumes.data();
  job.signal = slab.signal.data();
  job.tensors = tensors.data();
  job.residual = slab.residual.data();
  job.anisotropy = slab.anisotropy.data();
  job.spread = slab.spread.data();
  float *coefficients = slab.coefficients.data(), *right = slab.right.data();
  withOrder(constants.order, [&](auto order) {
    fitOrder<tensorEntries(order)>(constants, slab, job, coefficients, right, stream);
  });
}

}  // namespace sulcus::gpu::fibers
