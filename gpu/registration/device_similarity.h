#pragma once

#include "core/registration/registration_level.h"
#include "gpu/registration/level_job.h"

#include <memory>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// What device memory is asked for, in messages.
inline constexpr const char* kWhat = "this registration";

/// A SimilarityMeasure on the device: how alike both images are where that is no sum over single voxels.
class DeviceSimilarity {
 public:
  virtual ~DeviceSimilarity() = default;

  /// Replaces T(x − u), one value per voxel and 0 where the images are not compared, by the derivative of the
  /// energy, a sum over the voxels, by these values. May wait for the stream.
  virtual void replaceBySlope(const LevelJob& job, float* warped, LevelMeeting* meeting,
                              const Stream& stream) = 0;

  /// Takes job.reference anew; the voxels in which the images are compared stay the same.
  virtual void takeReference(const LevelJob& job, const Stream& stream) = 0;

  /// The energy, a sum over the voxels, once the stream has passed replaceBySlope().
  virtual double energy() const = 0;
};

/// The measure that the options ask for.
std::unique_ptr<DeviceSimilarity> deviceSimilarity(const LevelImages<float>& images, const LevelJob& job,
                                                   const RegistrationOptions& options, const Stream& stream);

/// Bytes of device memory that it takes, with the values that it works on, on a grid of so many voxels.
std::int64_t similarityBytes(const Vec3<int>& size, const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
