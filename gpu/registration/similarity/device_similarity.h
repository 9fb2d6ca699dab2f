#pragma once

#include "core/registration/deformation/registration_level.h"
#include "gpu/registration/level_job.h"

#include <memory>
#include <span>
#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// The purpose of device memory, in messages.
inline constexpr const char* kWhat = "this registration";

/// Sums of the blocks of a kernel on one device, and where the host reads those of all.
struct BlockSums {
  EnergySums* blocks;
  int depth;  ///< planes of a block
  EnergySums* total;
};

/// A SimilarityMeasure on the device: how alike both images are where that is no sum over single voxels.
class DeviceSimilarity {
 public:
  virtual ~DeviceSimilarity() = default;

  /// Queues the first step of a comparison: what the energy is made of.
  ///
  /// @param warped  T(x − u), one value per voxel and 0 where the images are not compared
  virtual void queueTerms(const LevelJob& job, float* warped, GridBarrier* meeting, const Stream& stream) = 0;
  /// Replaces T(x − u) by the derivative of the energy, a sum over the voxels, by these values. May wait for
  /// the stream.
  virtual void replaceBySlope(const LevelJob& job, float* warped, const Stream& stream) = 0;

  /// Takes job.reference anew; the voxels in which the images are compared stay the same.
  virtual void takeReference(const LevelJob& job, const Stream& stream) = 0;

  /// The energy, a sum over the voxels, once the stream has passed replaceBySlope().
  virtual double energy() const = 0;

  // Where devices share out a level, see canShareLevel():

  /// Arrays of one value per voxel that queueTerms() makes, of which replaceBySlope() reads planes nearby.
  virtual std::vector<float*> terms() { return {}; }
  /// The sums that queueTerms() makes.
  virtual BlockSums sums() { return {}; }
};

/// Planes around its own of which a measure reads T(x − u) and its terms, where devices can share it out.
inline int reachOf(const RegistrationOptions& options) {
  return options.similarity == Similarity::lcc ? options.window : 0;
}

/// The measure that the options ask for.
///
/// @param weights  see LevelInput::weights
std::unique_ptr<DeviceSimilarity> deviceSimilarity(const LevelImages<float>& images,
                                                   std::span<const float> weights, const LevelJob& job,
                                                   const RegistrationOptions& options, const Stream& stream);

/// Bytes of device memory that it takes, with the values that it works on, on a grid of so many voxels.
std::int64_t similarityBytes(const Vec3<int>& size, const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
