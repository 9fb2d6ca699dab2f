#pragma once

#include "core/registration/deformation/vector_field.h"

#include <cstdint>
#include <string>
#include <vector>

// The force kernel of Lee et al. (2012) as published, to compare with the one in Sulcus.

namespace sulcus::bench {

enum class ForceVariant {
  recompute,       ///< each thread computes the stress of its six neighbors, in registers
  recomputeLocal,  ///< the same with few registers, the rest in local memory
  reuse            ///< stresses are computed once and shared within the block
};
std::string nameOf(ForceVariant variant);

/// Equation 10 on one grid: the displaced template T(x − u), the reference, and u. The spacing is 1 mm.
struct ForceWork {
  Vec3<int> size{0, 0, 0};
  std::vector<float> warped, reference;  ///< one value per voxel, x fastest
  registration::VectorField<float> u;    ///< mm
  float lambda = 0.02f;
};

/// Smooth images and a smooth displacement of up to 0.8 voxels.
ForceWork forceWork(const Vec3<int>& size);

/// The force by the engine's own formulas, in float, on the threads of the withThreads() scope; `force` has
/// the size of the work, 0 where nothing may move.
void forceOnCpu(const ForceWork& work, registration::VectorField<float>& force);

/// The resources of a compiled kernel, and its results.
struct ForceRun {
  int registers = 0, threads = 0;  ///< registers of a thread, threads of a block
  int tileX = 0, tileY = 0;        ///< voxels of a block in a plane
  std::int64_t sharedBytes = 0;    ///< of a block
  std::int64_t localBytes = 0;     ///< of a thread
  int blocks = 0;                  ///< on a multiprocessor; 0 if the wanted number does not fit
  double seconds = 0;
  registration::VectorField<float> force;  ///< empty for the engine
};

/// Runs a variant with this many blocks on a multiprocessor; returns without running it if they do not fit.
/// Throws Error if there is no GPU.
ForceRun forceOnGpu(ForceVariant variant, int blocks, const ForceWork& work);

/// The engine's kernel on the same work, which also interpolates the template and sums the energies. Throws
/// Error if there is no GPU.
ForceRun engineForceOnGpu(const ForceWork& work);

/// Operations for a voxel if every stress is computed once: central differences 18, J − 1 26, L' 27, the
/// stress 39, its divergence 30, the force of the images 10. A fused operation counts as two.
inline constexpr double kOurForceFlop = 150;
inline constexpr double kPaperForceFlop = 158, kPaperForceBytes = 500;

}  // namespace sulcus::bench
