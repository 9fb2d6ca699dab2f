#pragma once

#include "core/registration/registration_level.h"
#include "gpu/registration/device_similarity.h"
#include "gpu/registration/landmarks.h"
#include "gpu/registration/level_job.h"
#include "gpu/runtime/buffer.h"

#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// One level of the descent on the device, see descend(): between its calls only sums come to the host. Same
/// bits as RegistrationLevel<float>, but for the last digits of the energies.
///
/// Device memory: 68 bytes a voxel (four fields of 12, texels 16, reference 4), fields with their border, and
/// for local correlation 28, for mutual information 5; each further channel takes 20 and 4, 28 or 5 for how
/// it is compared, and weights take 4. See bytes().
class DeviceLevel {
 public:
  /// Bytes of device memory of a level of so many voxels, without those of its landmarks, which are few.
  static std::int64_t bytes(const Vec3<int>& size, const RegistrationOptions& options,
                            std::size_t channels = 1, bool weighted = false);

  /// Uploads the input and u, on the grid of the images; `stream` must outlive it.
  DeviceLevel(const LevelInput<float>& input, VectorField<float> u, const RegistrationOptions& options,
              const Stream& stream, Progress progress);

  /// Energy and force of u.
  LevelEnergy start();
  /// Makes the velocity of the last force.
  Direction velocity(double momentum);
  /// Energy and force of u moved by dt times the velocity, the trial.
  LevelEnergy attempt(double dt);
  /// Holds the velocity back where volumes vanish in the trial.
  void hold();
  /// The trial becomes u.
  void accept();
  /// Smooths u by a Gaussian of `sigma` voxels.
  void relax(double sigma);

  /// start() and attempt() in two steps, between which the reference may change. Only for levels that have a
  /// DeviceSimilarity.
  void displaceStart() { queueDisplacement(u_); }
  void move(double dt);
  void displaceTrial() { queueDisplacement(trial_); }
  LevelEnergy compare();
  /// Takes the template of `other`, as it lies displaced, for the reference.
  void compareWith(const DeviceLevel& other);

  /// The share of the voxels whose volume vanishes under the difference of both displacements, either way,
  /// where guardsCorners(). The memory of a's force is used.
  friend double vanishingBetweenStarts(DeviceLevel& a, DeviceLevel& b) {
    return a.vanishingBetween(a.valuesOf(a.u_), b.valuesOf(b.u_));
  }
  friend double vanishingBetweenTrials(DeviceLevel& a, DeviceLevel& b) {
    return a.vanishingBetween(a.valuesOf(a.trial_), b.valuesOf(b.trial_));
  }
  /// hold() of both, around the voxels that vanishingBetweenTrials() finds.
  friend void holdBoth(DeviceLevel& a, DeviceLevel& b);

  /// Gives a half the difference of the velocities of both, and b its opposite.
  friend void oppose(DeviceLevel& a, DeviceLevel& b);

  /// Queue the work of velocity() and attempt() without waiting for it.
  void queueVelocity(double momentum);
  void queueAttempt(double dt);

  void setProgress(Progress progress) { progress_ = std::move(progress); }
  /// u in mm, on the host; valid until it is called again.
  const VectorField<float>& displacement();
  VectorField<float> takeDisplacement();
  /// On the host: what start() or attempt() left for velocity(), and what that made.
  VectorField<float> force() const { return fetched(force_); }
  VectorField<float> lastVelocity() const { return fetched(velocity_); }

 private:
  FieldView view(int field);
  VectorField<float> fetched(int field) const;
  void fetch(int field, VectorField<float>& to) const;
  /// Queues the energy and the force of a field.
  void queueEvaluation(int field);
  /// The two steps of it where there is a similarity.
  void queueDisplacement(int field);
  void queueComparison(int field);
  /// The end of both: the force of everything.
  void queueForce(int field);
  LevelEnergy readEnergy();
  /// The share of the voxels at a corner of which the volume vanishes, see vanishingShare().
  double vanishingIn(int field);
  double vanishingBetween(const float* first, const float* second);
  /// Queues first − second, of all values of fields, in the memory of the force.
  void queueDifferenceOf(const float* first, const float* second);
  /// All values of a field, its border included.
  float* valuesOf(int field) { return fields_.data() + 3 * field * component_; }
  /// Its components from their first values on.
  FieldView arraysOf(int field) {
    float* const first = valuesOf(field);
    return {first, first + component_, first + 2 * component_};
  }

  /// Both images of a channel, and how they are compared.
  struct Channel {
    LevelJob job;  ///< with the images of this channel
    double share;  ///< of the similarity
    Buffer<float> reference;
    Buffer<Texel<float>> texels;
    std::unique_ptr<DeviceSimilarity> similarity;  ///< null for squared differences of a single channel
    Buffer<float> warped;                          ///< of the similarity
  };
  /// Uploads a channel and makes its texels, in the memory of the velocity.
  Channel uploadedChannel(const LevelImages<float>& images, double share, bool measured,
                          const RegistrationOptions& options);

  LevelJob job_;  ///< that of the first channel
  HalfGaussian alongX_, alongY_, alongZ_;
  const Stream* stream_;
  Progress progress_;
  bool guardsCorners_;
  VectorField<float> host_;
  std::int64_t component_;  ///< values of one component of a field
  // Places in `fields_`. The trial's memory also holds the force between its smoothing along y and along z.
  int u_ = 0, trial_ = 1, force_ = 2, velocity_ = 3;
  int displaced_ = 0;  ///< that of the last queueDisplacement()
  Buffer<float> fields_;
  Buffer<EnergySums> blocks_;
  Buffer<LevelMeeting> meeting_;
  PinnedBuffer<LevelReport> report_;
  Buffer<float> weights_;  ///< see LevelInput
  std::vector<Channel> channels_;
  DeviceLandmarks landmarks_;
};

}  // namespace sulcus::gpu::registration
