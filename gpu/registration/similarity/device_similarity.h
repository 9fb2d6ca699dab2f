#pragma once

#include "core/registration/deformation/registration_level.h"
#include "gpu/registration/level_job.h"

#include <memory>
#include <span>
#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// The purpose of device memory, for messages.
inline constexpr const char* kWhat = "this registration";

/// Sums of the blocks of a kernel on one device, and the total that the host reads.
struct BlockSums {
  EnergySums* blocks;
  int depth;  ///< planes of a block
  EnergySums* total;
};

/// A SimilarityMeasure on the device: the similarity of both images if it is not a sum over single voxels.
class DeviceSimilarity {
 public:
  virtual ~DeviceSimilarity() = default;

  /// Queues the first step of a comparison: the terms of the energy.
  ///
  /// @param warped  T(x − u), one value per voxel and 0 where the images are not compared
  virtual void queueTerms(const LevelJob& job, float* warped, GridBarrier* meeting, const Stream& stream) = 0;
  /// Replaces T(x − u) by the derivative of the energy, a sum over the voxels, with respect to these values.
  /// May wait for the stream.
  virtual void replaceBySlope(const LevelJob& job, float* warped, const Stream& stream) = 0;

  /// Updates the reference from job.reference; the voxels that are compared stay the same.
  virtual void takeReference(const LevelJob& job, const Stream& stream) = 0;

  /// The energy, a sum over the voxels, after the stream has completed replaceBySlope().
  virtual double energy() const = 0;

  // For levels shared by several devices, see canShareLevel():

  /// Arrays of one value per voxel computed by queueTerms(), of which replaceBySlope() reads nearby planes.
  virtual std::vector<float*> terms() { return {}; }
  /// The sums computed by queueTerms().
  virtual BlockSums sums() { return {}; }
};

/// Number of planes around its own from which a measure reads T(x − u) and its terms, if devices can share
/// it.
inline int reachOf(const RegistrationOptions& options) {
  return options.similarity == Similarity::lcc ? options.window : 0;
}

/// The measure requested by the options.
///
/// @param weights  see LevelInput::weights
std::unique_ptr<DeviceSimilarity> deviceSimilarity(const LevelImages<float>& images,
                                                   std::span<const float> weights, const LevelJob& job,
                                                   const RegistrationOptions& options, const Stream& stream);

/// Bytes of device memory that it takes, including the values that it works on, for a grid of this size.
std::int64_t similarityBytes(const Vec3<int>& size, const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
