#pragma once

#include "gpu/registration/level_part.h"

#include <memory>
#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// Whether devices can share the planes of a level: for one channel that is compared by squared differences
/// without weights, or by local correlation, in one-sided registration without landmarks.
bool canShareLevel(const LevelInput<float>& input, const RegistrationOptions& options);

/// One level of the descent on the device, see descend(): between its calls only sums are copied to the host.
/// Same bits as RegistrationLevel<float>, except for the last digits of the energies.
///
/// Several devices share its planes. Each computes those of its part; before a step that reaches further they
/// synchronize and copy nearby planes from each other (see exchange()): two of the trial, for the second
/// differences in the force, or as many as windows reach; as many of the terms of the windows; and of the
/// force as many as the Gaussian reaches along z. Sums over the voxels are made from the blocks of all
/// devices in the order of a single one, so that the bits are the same for any number of devices.
class DeviceLevel {
 public:
  /// Bytes of device memory, per device; see LevelPart.
  static std::int64_t bytes(const Vec3<int>& size, const RegistrationOptions& options,
                            std::size_t channels = 1, bool weighted = false) {
    return LevelPart::bytes(size, options, channels, weighted);
  }

  /// Uploads the input and u, of this level or the next coarser one; `queues` must outlive it. Uses as many
  /// of them as there are planes for, and only the first unless canShareLevel().
  DeviceLevel(const LevelInput<float>& input, VectorField<float> u, const RegistrationOptions& options,
              const DeviceQueues& queues, Progress progress);

  /// Energy and force of u.
  LevelEnergy start();
  /// Computes the velocity from the last force.
  Direction velocity(double momentum);
  /// Energy and force of the trial, u moved by dt times the velocity.
  LevelEnergy attempt(double dt);
  /// Holds the velocity back where volumes vanish in the trial.
  void hold();
  /// Makes the trial the current u.
  void accept();
  /// Smooths u by a Gaussian of `sigma` voxels.
  void relax(double sigma);

  /// start() and attempt() in two steps, between which the reference may change. These and the functions of
  /// two levels are only for levels with a DeviceSimilarity, which have one part.
  void displaceStart() { displace(only().u); }
  void move(double dt);
  void displaceTrial() { displace(only().trial); }
  LevelEnergy compare();
  /// Uses the template of `other`, as currently displaced, as reference.
  void compareWith(const DeviceLevel& other);

  /// The share of the voxels whose volume vanishes under the difference of the two displacements, in either
  /// direction, if guardsCorners(). Overwrites a's force.
  friend double vanishingBetweenStarts(DeviceLevel& a, DeviceLevel& b) {
    return a.vanishingBetween(a.only().valuesOf(a.only().u), b.only().valuesOf(b.only().u));
  }
  friend double vanishingBetweenTrials(DeviceLevel& a, DeviceLevel& b) {
    return a.vanishingBetween(a.only().valuesOf(a.only().trial), b.only().valuesOf(b.only().trial));
  }
  /// hold() for both levels, around the voxels that vanishingBetweenTrials() finds.
  friend void holdBoth(DeviceLevel& a, DeviceLevel& b);

  /// Replaces the velocity of a by half the difference of both, and that of b by its opposite.
  friend void oppose(DeviceLevel& a, DeviceLevel& b);

  /// Queue the work of velocity() and attempt() without waiting for it.
  void queueVelocity(double momentum);
  void queueAttempt(double dt);

  void setProgress(Progress progress) { progress_ = std::move(progress); }
  /// u in mm, on the host; valid until it is called again.
  const VectorField<float>& displacement();
  VectorField<float> takeDisplacement();
  /// Copy to the host the force that start() or attempt() left for velocity(), and the velocity made from it.
  VectorField<float> force() const { return fetched(parts_.front()->force); }
  VectorField<float> lastVelocity() const { return fetched(parts_.front()->velocity); }

 private:
  /// Calls work(part) for each part, with its device as the thread's current one.
  template <class Work>
  void onEachPart(const Work& work) const {
    for (const auto& part : parts_) {
      const OnDevice there(part->queue().device());
      work(*part);
    }
  }
  LevelPart& only() { return *parts_.front(); }
  const LevelPart& only() const { return *parts_.front(); }

  /// Calls copy(part, planes, other) for the planes of other parts that are at most `reach` from those of a
  /// part; the parts synchronize before and after.
  template <class Copy>
  void exchange(int reach, const Copy& copy) const;
  /// Copies to each part the planes of a field that others computed.
  void exchange(int field, int reach) const;
  void queueMove(double dt);
  /// Queues the evaluation of a field, and the sums of all parts.
  void queueEvaluation(int field);
  /// The steps of the evaluation after the displaced template.
  void queueComparison(int field);
  /// Queues the sum of the blocks of all parts, `sumsOf(part)`, into the total of the first.
  template <class SumsOf>
  void queueSums(const SumsOf& sumsOf) const;
  void displace(int field);
  /// Smooths `from` into `to`, using the trial as working memory, see smoothDepth().
  void queueSmoothing(int from, int to, double sigma, double momentum);
  VectorField<float> fetched(int field) const;
  void fetch(int field, VectorField<float>& to) const;
  void fetchDisplacement();
  LevelEnergy readEnergy();
  /// The share of the voxels with a corner whose volume vanishes, see foldedShare().
  double vanishingIn(int field);
  double vanishingBetween(const float* first, const float* second);
  /// Queues first − second, over all values of fields, stored in the force.
  void queueDifferenceOf(const float* first, const float* second);

  double sigma_, voxels_;
  int window_, reach_;  ///< planes around its own that a part needs of the terms, and of u
  bool guardsCorners_;
  const DeviceQueues* queues_;
  Progress progress_;
  VectorField<float> host_;
  int displaced_ = 0;  ///< the field of the last displace()
  std::vector<std::unique_ptr<LevelPart>> parts_;
};

}  // namespace sulcus::gpu::registration
