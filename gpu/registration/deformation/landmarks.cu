#include "gpu/registration/deformation/energy_sums.cuh"
#include "gpu/registration/deformation/landmarks.h"

namespace sulcus::gpu::registration {
inline namespace landmarks_kernels {

/// Landmarks are few: a single block processes all, so that their residuals are available before they are
/// used.
__global__ void __launch_bounds__(kTileThreads)
    addLandmarks(const __grid_constant__ LevelJob job, LandmarkJob landmarks,
                 const __grid_constant__ MovingFields arrays, LandmarkSums* total) {
  const auto& [u, velocity, force] = arrays;
  __shared__ EnergySums warps[kWarps];
  EnergySums sum = kNoSums;
  for (int k = threadIdx.x; k < landmarks.landmarks; k += kTileThreads) {
    const Vec3<float> r = landmarkResidual<float>(landmarks.places[k], u.x, u.y, u.z);
    landmarks.residuals[k] = r;
    sum.similarity +=
        0.5 * (double(r.x) * double(r.x) + double(r.y) * double(r.y) + double(r.z) * double(r.z));
  }
  __syncthreads();
  const auto residual = [&](int k) { return landmarks.residuals[k]; };
  for (int i = threadIdx.x; i < landmarks.count; i += kTileThreads) {
    const LandmarkVoxel v = landmarks.voxels[i];
    const Mat3<float> gradient =
        centralGradient(u.x + v.at, u.y + v.at, u.z + v.at, job.row, job.plane, job.half);
    const Vec3<float> f =
        landmarkForce(v, landmarks.shares, residual, landmarks.pull, job.descent ? &gradient : nullptr);
    const Vec3<float> before{force.x[v.at], force.y[v.at], force.z[v.at]}, after = before + f;
    store(force, v.at, after);
    // Uses the actual change of the rounded sum, not the exact term.
    sum.uphill -= (double(after.x) - double(before.x)) * double(velocity.x[v.at]) +
                  (double(after.y) - double(before.y)) * double(velocity.y[v.at]) +
                  (double(after.z) - double(before.z)) * double(velocity.z[v.at]);
  }
  sum = sumOfBlock(sum, warps);
  if (threadIdx.x == 0) *total = {sum.similarity, sum.uphill};
}

}  // namespace landmarks_kernels

void queueLandmarks(const LevelJob& job, const LandmarkJob& landmarks, const MovingFields& arrays,
                    LandmarkSums* total, const Stream& stream) {
  addLandmarks<<<1, kTileThreads, 0, stream.get()>>>(job, landmarks, arrays, total);
  SULCUS_CUDA_LAUNCHED("addLandmarks");
}

}  // namespace sulcus::gpu::registration
