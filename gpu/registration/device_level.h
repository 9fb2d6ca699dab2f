#pragma once

#include "gpu/registration/level_part.h"

#include <memory>
#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// Whether devices can share out the planes of a level: where one channel is compared by squared differences
/// without weights, or by local correlation, one-sided and without landmarks.
bool canShareLevel(const LevelInput<float>& input, const RegistrationOptions& options);

/// One level of the descent on the device, see descend(): between its calls only sums come to the host. Same
/// bits as RegistrationLevel<float>, but for the last digits of the energies.
///
/// Several devices share out its planes. Each makes those of its part; before a step that looks further they
/// meet and copy from each other the planes nearby (see exchange()): two of the trial, of which the force
/// takes second differences, or those that windows reach; of the terms of the windows as many; and of the
/// force as many as the Gaussian reaches along z. Sums over the voxels
/// are made of the blocks of all devices in the order of one, so that there are the same bits on any number
/// of them.
class DeviceLevel {
 public:
  /// Bytes of device memory, on each device; see LevelPart.
  static std::int64_t bytes(const Vec3<int>& size, const RegistrationOptions& options,
                            std::size_t channels = 1, bool weighted = false) {
    return LevelPart::bytes(size, options, channels, weighted);
  }

  /// Uploads the input and u, of this level or the next coarser one; `queues` must outlive it. Of several
  /// there are used as many as have planes, and the first alone where not canShareLevel().
  DeviceLevel(const LevelInput<float>& input, VectorField<float> u, const RegistrationOptions& options,
              const DeviceQueues& queues, Progress progress);

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

  /// start() and attempt() in two steps, between which the reference may change. These and the functions of
  /// two levels are only for levels that have a DeviceSimilarity, which have one part.
  void displaceStart() { displace(only().u); }
  void move(double dt);
  void displaceTrial() { displace(only().trial); }
  LevelEnergy compare();
  /// Takes the template of `other`, as it lies displaced, for the reference.
  void compareWith(const DeviceLevel& other);

  /// The share of the voxels whose volume vanishes under the difference of both displacements, either way,
  /// where guardsCorners(). The memory of a's force is used.
  friend double vanishingBetweenStarts(DeviceLevel& a, DeviceLevel& b) {
    return a.vanishingBetween(a.only().valuesOf(a.only().u), b.only().valuesOf(b.only().u));
  }
  friend double vanishingBetweenTrials(DeviceLevel& a, DeviceLevel& b) {
    return a.vanishingBetween(a.only().valuesOf(a.only().trial), b.only().valuesOf(b.only().trial));
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
  /// Copies to the host what start() or attempt() left for velocity(), and what that made.
  VectorField<float> force() const { return fetched(parts_.front()->force); }
  VectorField<float> lastVelocity() const { return fetched(parts_.front()->velocity); }

 private:
  /// Calls work(part) for each part, whose device is then the thread's.
  template <class Work>
  void onEachPart(const Work& work) const {
    for (const auto& part : parts_) {
      const OnDevice there(part->queue().device());
      work(*part);
    }
  }
  LevelPart& only() { return *parts_.front(); }
  const LevelPart& only() const { return *parts_.front(); }

  /// Calls copy(part, planes, other) for the planes of others that are at most `reach` from those of a part;
  /// they meet before and after.
  template <class Copy>
  void exchange(int reach, const Copy& copy) const;
  /// Brings to each part the planes of a field that others made.
  void exchange(int field, int reach) const;
  void queueMove(double dt);
  /// Queues the evaluation of a field, and the sums of all parts.
  void queueEvaluation(int field);
  /// The steps of it after the displaced template.
  void queueComparison(int field);
  /// Queues the sum of the blocks of all parts, `sumsOf(part)`, to the total of the first.
  template <class SumsOf>
  void queueSums(const SumsOf& sumsOf) const;
  void displace(int field);
  /// Smooths `from` to `to`, by way of the trial, see smoothDepth().
  void queueSmoothing(int from, int to, double sigma, double momentum);
  VectorField<float> fetched(int field) const;
  void fetch(int field, VectorField<float>& to) const;
  void fetchDisplacement();
  LevelEnergy readEnergy();
  /// The share of the voxels at a corner of which the volume vanishes, see foldedShare().
  double vanishingIn(int field);
  double vanishingBetween(const float* first, const float* second);
  /// Queues first − second, of all values of fields, in the memory of the force.
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
