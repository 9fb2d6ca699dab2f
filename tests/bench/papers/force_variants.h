#pragma once

#include "core/registration/deformation/vector_field.h"

#include <cstdint>
#include <string>
#include <vector>

// The force kernel of Lee et al. (2012) as they built it, beside the one that Sulcus runs.

namespace sulcus::bench {

enum class ForceVariant {
  recompute,       ///< each thread computes the stress of its six neighbors; what it needs in registers
  recomputeLocal,  ///< the same with few registers, the rest in local memory
  reuse            ///< stresses are computed once and shared within the block
};
std::string nameOf(ForceVariant variant);

/// Equation 10 on one grid: the template T(x − u) as it lies displaced, the reference, and u. Spacing is 1
/// mm.
struct ForceWork {
  Vec3<int> size{0, 0, 0};
  std::vector<float> warped, reference;  ///< one value per voxel, x fastest
  registration::VectorField<float> u;    ///< mm
  float lambda = 0.02f;
};

/// Smooth images and a smooth displacement of up to 0.8 voxels.
ForceWork forceWork(const Vec3<int>& size);

/// The force by the engine's own formulas, in float, on the threads of the withThreads() scope; `force` is of
/// the size of the work, 0 where nothing may move.
void forceOnCpu(const ForceWork& work, registration::VectorField<float>& force);

/// What the compiler made of a kernel, and how it ran.
struct ForceRun {
  int registers = 0, threads = 0;  ///< registers of a thread, threads of a block
  int tileX = 0, tileY = 0;        ///< voxels of a block in a plane
  std::int64_t sharedBytes = 0;    ///< of a block
  std::int64_t localBytes = 0;     ///< of a thread
  int blocks = 0;                  ///< that a multiprocessor holds; 0 where the wanted number does not fit
  double seconds = 0;
  registration::VectorField<float> force;  ///< empty of the engine
};

/// Runs a variant with so many blocks a multiprocessor, or returns without running it where they do not fit.
/// Throws Error where there is no GPU.
ForceRun forceOnGpu(ForceVariant variant, int blocks, const ForceWork& work);

/// The engine's kernel on the same work: it also interpolates the template and sums the energies. Throws
/// Error where there is no GPU.
ForceRun engineForceOnGpu(const ForceWork& work);

/// Operations of a voxel when every stress is computed once: central differences 18, J − 1 26, L' 27, the
/// stress 39, its divergence 30, the force of the images 10. A fused operation counts as two.
inline constexpr double kOurForceFlop = 150;
inline constexpr double kPaperForceFlop = 158, kPaperForceBytes = 500;

}  // namespace sulcus::bench
