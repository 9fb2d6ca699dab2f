#pragma once

#include "core/registration/deformation/registration_level.h"
#include "gpu/registration/deformation/landmarks.h"
#include "gpu/registration/level_job.h"
#include "gpu/registration/similarity/device_similarity.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/devices.h"

#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// The planes of a level that one device looks after: its memory, and what is queued there.
///
/// Fields and template are whole, so that every index is that of one device; of the planes of others those
/// nearby are brought by DeviceLevel. Device memory: 68 bytes a voxel (four fields of 12, texels 16,
/// reference 4), fields with their border, and for local correlation 32, for mutual information 8; each
/// further channel takes 20 and 8, 32 or 8 for how it is compared, and weights take 4. See bytes().
class LevelPart {
 public:
  /// Bytes of device memory of a level of so many voxels, without those of its landmarks, which are few.
  static std::int64_t bytes(const Vec3<int>& size, const RegistrationOptions& options, std::size_t channels,
                            bool weighted);

  /// Uploads the input, and u, of this level or the next coarser one, with `reach` planes around. Called
  /// where the device of `queue` is the thread's; the queue must outlive it.
  LevelPart(const LevelInput<float>& input, const VectorField<float>& u, const RegistrationOptions& options,
            Planes planes, int reach, const DeviceQueue& queue);

  /// Both images of a channel, and how they are compared.
  struct Channel {
    LevelJob job;  ///< with the images of this channel
    double share;  ///< of the similarity
    Buffer<float> reference;
    Buffer<Texel<float>> texels;
    Buffer<float> moving;  ///< the template, or the coefficients of its spline; where either is needed
    std::unique_ptr<DeviceSimilarity> similarity;  ///< null for squared differences of a single channel
    Buffer<float> warped;                          ///< of the similarity
  };

  FieldView view(int field);
  /// All values of a field, its border included.
  float* valuesOf(int field) { return fields_.data() + 3 * field * component_; }
  /// Its components from their first values on.
  FieldView arraysOf(int field) {
    float* const first = valuesOf(field);
    return {first, first + component_, first + 2 * component_};
  }
  /// Values of one component of a field.
  std::int64_t component() const { return component_; }

  // Queue the steps of an evaluation of a field; the first two where there is a similarity.

  /// The displaced template.
  void queueDisplacement(int field);
  /// What the energy of the similarity is made of.
  void queueTerms();
  /// The energy, and the force of everything.
  void queueForce(int field);

  /// Queues the copy of planes of a field of `other`, which is on the same grid.
  void queueCopy(int field, Planes planes, const LevelPart& other);
  /// Queues the copy of the terms of the similarity.
  void queueCopyOfTerms(Planes planes, LevelPart& other);
  /// Queues the copy of its own planes of a field to the host.
  void queueDownload(int field, VectorField<float>& to) const;

  const DeviceQueue& queue() const { return *queue_; }
  const Stream& stream() const { return queue_->stream(); }
  const LevelJob& job() const { return job_; }
  GridBarrier* meeting() { return meeting_.data(); }
  LevelReport* report() { return report_.data(); }
  const LevelReport& report() const { return *report_.data(); }
  /// The sums that evaluate() makes.
  BlockSums sums() { return {blocks_.data(), planesOfEvaluate(job_.size), &report_.data()->energy}; }
  std::vector<Channel>& channels() { return channels_; }
  const std::vector<Channel>& channels() const { return channels_; }
  DeviceLandmarks& landmarks() { return landmarks_; }

  // Places of the fields. The trial's memory also holds the force between its smoothing along y and along z.
  int u = 0, trial = 1, force = 2, velocity = 3;

 private:
  /// Uploads those planes of u.
  void upload(const VectorField<float>& u, Planes planes);
  /// Uploads a displacement of the next coarser level, and refines it to those planes of u, by way of the
  /// trial.
  void refine(const VectorField<float>& coarse, Planes planes);
  /// Uploads a channel and makes its texels, in the memory of the velocity.
  Channel uploadedChannel(const LevelInput<float>& input, std::size_t number,
                          const RegistrationOptions& options);
  /// Queues the copy of so many floats of the device of `other`.
  void queueCopy(float* to, const LevelPart& other, const float* from, std::int64_t count);

  LevelJob job_;  ///< that of the first channel
  int reach_;
  const DeviceQueue* queue_;
  VectorField<float> layout_;  ///< of the fields, without values
  std::int64_t component_;
  Buffer<float> fields_;
  Buffer<EnergySums> blocks_;
  Buffer<GridBarrier> meeting_;
  PinnedBuffer<LevelReport> report_;
  Buffer<float> weights_;  ///< see LevelInput
  std::vector<Channel> channels_;
  DeviceLandmarks landmarks_;
};

}  // namespace sulcus::gpu::registration
