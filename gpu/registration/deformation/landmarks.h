#pragma once

#include "core/registration/deformation/landmarks.h"
#include "gpu/registration/level_job.h"
#include "gpu/runtime/buffer.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// Landmarks in device memory.
struct LandmarkJob {
  const LandmarkPlace<float>* places;
  const LandmarkVoxel* voxels;
  const LandmarkShare<float>* shares;
  Vec3<float>* residuals;  ///< one per landmark
  int landmarks, count;    ///< numbers of places and of voxels
  float pull;
};

/// Sums over landmarks.
struct LandmarkSums {
  double energy;  ///< Σ ½ |residual|², mm²
  double uphill;  ///< −their force · velocity
};

/// Queues the residuals of all landmarks, their contribution to the force, and their sums, which are written
/// to `total` in page-locked host memory.
///
/// @param arrays  of the fields, from their first elements on
void queueLandmarks(const LevelJob& job, const LandmarkJob& landmarks, const MovingFields& arrays,
                    LandmarkSums* total, const Stream& stream);

/// The landmarks of a level on the device, see LandmarkTables; there may be none.
class DeviceLandmarks {
 public:
  DeviceLandmarks(const LandmarkTables<float>& tables, const Stream& stream);

  /// Adds their force to that of the energy from evaluate(); see queueLandmarks().
  void queueForce(const LevelJob& job, const MovingFields& arrays, const Stream& stream);

  /// landmarkEnergy(), after the stream has completed queueForce().
  double energy() const { return places_.size() > 0 ? energyWeight_ * total_.data()->energy : 0; }
  /// Their contribution to EnergySums::uphill.
  double uphill() const { return places_.size() > 0 ? total_.data()->uphill : 0; }

 private:
  Buffer<LandmarkPlace<float>> places_;
  Buffer<LandmarkVoxel> voxels_;
  Buffer<LandmarkShare<float>> shares_;
  Buffer<Vec3<float>> residuals_;
  PinnedBuffer<LandmarkSums> total_;
  double energyWeight_;
  float pull_;
};

}  // namespace sulcus::gpu::registration
