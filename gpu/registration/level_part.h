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

/// The planes of a level that one device processes: its memory, and the work queued there.
///
/// Fields and template are complete, so that indices are those of a single device; DeviceLevel copies nearby
/// planes from other devices. Device memory: 68 bytes per voxel (four fields of 12, texels 16, reference 4),
/// fields with their border, and for local correlation 32, for mutual information 8; each further channel
/// takes 20, plus 8, 32 or 8 for its comparison, and weights take 4. See bytes().
class LevelPart {
 public:
  /// Bytes of device memory of a level of this size, without those of its landmarks, which are few.
  static std::int64_t bytes(const Vec3<int>& size, const RegistrationOptions& options, std::size_t channels,
                            bool weighted);

  /// Uploads the input, and u, of this level or the next coarser one, with `reach` planes around. Must be
  /// called with the device of `queue` as the thread's current one; the queue must outlive it.
  LevelPart(const LevelInput<float>& input, const VectorField<float>& u, const RegistrationOptions& options,
            Planes planes, int reach, const DeviceQueue& queue);

  /// Both images of a channel, and their similarity measure.
  struct Channel {
    LevelJob job;  ///< with the images of this channel
    double share;  ///< share in the similarity
    Buffer<float> reference;
    Buffer<Texel<float>> texels;
    Buffer<float> moving;  ///< the template, or the coefficients of its spline; if either is needed
    std::unique_ptr<DeviceSimilarity> similarity;  ///< null for squared differences of a single channel
    Buffer<float> warped;                          ///< working memory of the similarity
  };

  FieldView view(int field);
  /// All values of a field, including its border.
  float* valuesOf(int field) { return fields_.data() + 3 * field * component_; }
  /// Its components from their first elements on.
  FieldView arraysOf(int field) {
    float* const first = valuesOf(field);
    return {first, first + component_, first + 2 * component_};
  }
  /// Values of one component of a field.
  std::int64_t component() const { return component_; }

  // Queue the steps of an evaluation of a field; the first two only if there is a similarity.

  /// The displaced template.
  void queueDisplacement(int field);
  /// The terms of the similarity's energy.
  void queueTerms();
  /// The energy and the total force.
  void queueForce(int field);

  /// Queues the copy of planes of a field of `other`, which is on the same grid.
  void queueCopy(int field, Planes planes, const LevelPart& other);
  /// Queues the copy of the terms of the similarity.
  void queueCopyOfTerms(Planes planes, LevelPart& other);
  /// Queues a copy of its own planes of a field to the host.
  void queueDownload(int field, VectorField<float>& to) const;

  const DeviceQueue& queue() const { return *queue_; }
  const Stream& stream() const { return queue_->stream(); }
  const LevelJob& job() const { return job_; }
  GridBarrier* meeting() { return meeting_.data(); }
  LevelReport* report() { return report_.data(); }
  const LevelReport& report() const { return *report_.data(); }
  /// The sums computed by evaluate().
  BlockSums sums() { return {blocks_.data(), planesOfEvaluate(job_.size), &report_.data()->energy}; }
  std::vector<Channel>& channels() { return channels_; }
  const std::vector<Channel>& channels() const { return channels_; }
  DeviceLandmarks& landmarks() { return landmarks_; }

  // Indices of the fields. The trial's memory also holds the force between its smoothing along y and along z.
  int u = 0, trial = 1, force = 2, velocity = 3;

 private:
  /// Uploads the given planes of u.
  void upload(const VectorField<float>& u, Planes planes);
  /// Uploads a displacement of the next coarser level, and refines it to the given planes of u, using the
  /// trial as working memory.
  void refine(const VectorField<float>& coarse, Planes planes);
  /// Uploads a channel and makes its texels, using the velocity as working memory.
  Channel uploadedChannel(const LevelInput<float>& input, std::size_t number,
                          const RegistrationOptions& options);
  /// Queues a copy of `count` floats from the device of `other`.
  void queueCopy(float* to, const LevelPart& other, const float* from, std::int64_t count);

  LevelJob job_;  ///< that of the first channel
  int reach_;
  const DeviceQueue* queue_;
  VectorField<float> layout_;  ///< layout of the fields, without values
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
