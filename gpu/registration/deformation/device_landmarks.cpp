#include "gpu/registration/deformation/landmarks.h"
#include "gpu/registration/similarity/device_similarity.h"

namespace sulcus::gpu::registration {

DeviceLandmarks::DeviceLandmarks(const LandmarkTables<float>& tables, const Stream& stream)
    : places_(uploaded<LandmarkPlace<float>>(tables.places, stream, kWhat)),
      voxels_(uploaded<LandmarkVoxel>(tables.voxels, stream, kWhat)),
      shares_(uploaded<LandmarkShare<float>>(tables.shares, stream, kWhat)),
      residuals_(places_.size(), stream, kWhat),
      total_(1),
      energyWeight_(tables.energyWeight),
      pull_(tables.pull) {
  stream.synchronize();  // the tables may be freed
}

void DeviceLandmarks::queueForce(const LevelJob& job, const MovingFields& arrays, const Stream& stream) {
  if (places_.size() == 0) return;
  const LandmarkJob landmarks{.places = places_.data(),
                              .voxels = voxels_.data(),
                              .shares = shares_.data(),
                              .residuals = residuals_.data(),
                              .landmarks = int(places_.size()),
                              .count = int(voxels_.size()),
                              .pull = pull_};
  queueLandmarks(job, landmarks, arrays, total_.data(), stream);
}

}  // namespace sulcus::gpu::registration
