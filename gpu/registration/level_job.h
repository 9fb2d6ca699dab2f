#pragma once

#include "core/math/vec3.h"
#include "core/registration/deformation/registration_kernel.h"
#include "core/registration/preparation/cubic_spline_kernel.h"
#include "core/registration/results/maps_kernel.h"
#include "gpu/runtime/stream.h"

#include <algorithm>
#include <cstdint>

// A level of a registration as seen by its kernels, and the functions that queue them. Pointers are to device
// memory.

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// Three numbers per voxel, laid out as in VectorField: pointers to voxel (0, 0, 0), with a layer of zeros
/// around the grid.
struct FieldView {
  float *x, *y, *z;
};

/// Data shared by the kernels of a level. Images have x fastest and no border.
struct LevelJob {
  Vec3<int> size;             ///< voxels
  int row, plane;             ///< strides of y and z of fields, which have fewer than 2³¹ values
  int first, last;            ///< this device processes planes first … last − 1
  Vec3<float> inverse, half;  ///< 1 and ½ over the spacing, 1/mm
  float lambda, membrane;
  bool exact;    ///< TemplateGradient
  bool descent;  ///< RegistrationForce
  const Texel<float>* texels;
  const float* moving;     ///< the template, only with a DeviceSimilarity and without a spline
  SplineView spline;       ///< of the template if LevelImages::cubic; else without coefficients
  const float* reference;  ///< NaN: not compared
  const float* weights;    ///< see LevelInput; null: all 1
  const float* slope;      ///< from a DeviceSimilarity, one value per voxel, 0 where nothing is compared
};

inline std::int64_t voxelsOf(const LevelJob& job) {
  return std::int64_t(job.size.x) * job.size.y * job.size.z;
}

/// Planes first … last − 1 of a level.
struct Planes {
  int first, last;
};
/// The planes that a device processes, plus `reach` planes around them.
inline Planes planesAround(const LevelJob& job, int reach) {
  return {std::max(0, job.first - reach), std::min(job.size.z, job.last + reach)};
}

/// Sums over all voxels, or over those of a block.
struct EnergySums {
  double similarity, bias;  ///< ½ (T − R)², regularizerDensity()
  double uphill;            ///< −force · velocity
  float smallest;           ///< J − 1
  int refused;              ///< number of voxels for which keepsVolume() is false
};

/// Results read by the host: in page-locked memory, written by the last block of a kernel.
struct LevelReport {
  EnergySums energy;       ///< from evaluate()
  unsigned largestSquare;  ///< from smoothDepth(): of |v| in voxels, as bits of a float
  unsigned vanishing;      ///< from countVanishing(): number of voxels
};

/// State shared by the blocks of a kernel: all 0 before each kernel.
struct GridBarrier {
  unsigned largestSquare, vanishing, finished;
};

/// Where the sums of all blocks of a kernel come together.
struct GridSums {
  EnergySums* blocks;    ///< one for each block
  GridBarrier* meeting;  ///< all 0, and left so
  EnergySums* total;     ///< in page-locked host memory
};

/// A displacement, the velocity along which the slope of the energy is summed, and the force: minus the
/// derivative of the energy.
struct MovingFields {
  FieldView u, velocity, force;
};

/// Blocks of evaluate() for a whole level, each of which needs an EnergySums.
std::int64_t blocksOfEvaluate(const Vec3<int>& size);
/// Planes of such a block. If devices share a level, each starts at a multiple of it, so that their blocks
/// are those of a single device.
int planesOfEvaluate(const Vec3<int>& size);
/// Blocks within the planes of a level, for any kernel that makes sums.
std::int64_t blocksOfPlane(const Vec3<int>& size);
/// Queues the sum of the blocks of all devices, in the order in which evaluate() adds them up on a single
/// device.
void sumBlocks(const EnergySums* blocks, std::int64_t count, EnergySums* total, const Stream& stream);

/// Queues the packing of the template with its central differences: one texel per voxel, x fastest.
void makeTexels(const LevelJob& job, const float* moving, Texel<float>* texels, const Stream& stream);

/// Queues refined() for the given planes of u.
void refineDisplacement(const LevelJob& job, const FieldArrays& coarse, Planes planes, FieldView u,
                        const Stream& stream);

/// Queues result(x) = u(x − dt v) + dt v, in mm; no component of dt v may exceed a voxel.
void compose(const LevelJob& job, FieldView u, FieldView v, float dt, FieldView result, const Stream& stream);

/// Queues T(x − u), one value per voxel, 0 where the images are not compared, including `reach` planes around
/// those of the device.
void displaceTemplate(const LevelJob& job, FieldView u, int reach, float* warped, const Stream& stream);

/// The source of the images' force in evaluate(): squared differences, whose energy is also summed; job.slope
/// times ∇T(x − u); or `force`, which holds it on entry.
enum class ImageForce { differences, slope, given };

/// Queues the energies of u, and its force: −∂E/∂u, multiplied by Dhᵀ with job.descent.
///
/// @param sums  of blocksOfEvaluate() blocks
void evaluate(const LevelJob& job, ImageForce images, const MovingFields& fields, const GridSums& sums,
              const Stream& stream);

/// The kernel that evaluate() launches in single precision, for querying its resource usage.
const void* kernelOfEvaluate();

/// Queues counting the voxels with a corner whose volume vanishes under u, into `report`.
void countVanishing(const LevelJob& job, FieldView u, GridBarrier* meeting, LevelReport* report,
                    const Stream& stream);

/// Queues guardAgainstFolds() of the CPU: reduces v around the voxels that vanish in `moved`.
///
/// @param shares  one number per voxel, laid out like a field; 0 everywhere
void guardAgainstFolds(const LevelJob& job, FieldView moved, float* shares, FieldView v,
                       const Stream& stream);

inline constexpr int kLargestRadius = 48;  ///< voxels, of σ = 16

/// Weights of a Gaussian at 0 … radius, in voxels.
struct HalfGaussian {
  int radius = 0;
  float w[kLargestRadius + 1] = {1};
};

/// Queues smoothing along x and y, with odd reflection about the border voxels.
void smoothPlanes(const LevelJob& job, const HalfGaussian& alongX, const HalfGaussian& alongY, FieldView from,
                  FieldView to, const Stream& stream);
/// to = momentum · to + `from` smoothed along z. `to` is not read if the momentum is 0.
struct DepthSmoothing {
  FieldView from, to;
  HalfGaussian alongZ;
  float momentum;
};
/// Queues the smoothing, and writes the largest length of the result, in voxels, to `report`.
void smoothDepth(const LevelJob& job, const DepthSmoothing& smoothing, GridBarrier* meeting,
                 LevelReport* report, const Stream& stream);

}  // namespace sulcus::gpu::registration
