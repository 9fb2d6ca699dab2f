#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/descent.h"
#include "core/registration/deformation/fold_guard.h"
#include "core/registration/deformation/landmarks.h"
#include "core/registration/deformation/registration_kernel.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/preparation/cubic_spline.h"
#include "core/registration/registration.h"

#include <memory>
#include <optional>
#include <vector>

namespace sulcus::registration {

/// Both images of one level of the pyramid: one value per voxel of the level's grid, x fastest.
template <class Real>
struct LevelImages {
  Vec3<int> size{0, 0, 0};
  Vec3<double> spacing{1, 1, 1};  ///< mm
  std::vector<Real> moving;       ///< the pre-aligned template
  std::vector<Real> reference;    ///< NaN where the images are not compared
  /// Whether the template is interpolated by a cubic B-spline, else trilinearly. How much linear
  /// interpolation smooths noise and edges depends on the position between voxels, and the flow would follow
  /// that, visibly so where nothing changes.
  bool cubic = false;
};

/// The template in the form in which it is sampled between voxels.
template <class Real>
struct TemplateSamples {
  std::vector<Texel<Real>> texels;    ///< with its gradient by central differences, x fastest
  std::optional<SplineImage> spline;  ///< if LevelImages::cubic
};

/// The input of a level.
template <class Real>
struct LevelInput {
  std::vector<LevelImages<Real>> channels;  ///< all of the same size
  std::vector<double> shares;               ///< share of each channel in the similarity; they sum to 1
  LevelLandmarks landmarks;
  std::vector<Real> weights;  ///< 0…1, weight of each voxel in the similarity; empty: 1

  LevelInput() = default;
  LevelInput(LevelImages<Real> only, LevelLandmarks marks = {}) : shares{1}, landmarks(std::move(marks)) {
    channels.push_back(std::move(only));
  }

  const Vec3<int>& size() const { return channels.front().size; }
  const Vec3<double>& spacing() const { return channels.front().spacing; }
};

/// The energies of u, and the force of the images at u.
///
/// @param u           mm along the voxel axes
/// @param imageForce  receives (T(x − u) − R) ∇T(x − u), 1/mm, at voxels that may move, and 0 elsewhere
template <class Real>
LevelEnergy evaluate(const LevelImages<Real>& images, const TemplateSamples<Real>& samples,
                     const VectorField<Real>& u, const RegistrationOptions& options,
                     VectorField<Real>& imageForce, const Progress& progress);

/// A template under a displacement u, with the reference that it is compared with.
template <class Real>
struct DisplacedTemplate {
  const LevelImages<Real>& images;
  const TemplateSamples<Real>& samples;
  const VectorField<Real>& u;
};

/// The energy of the regularizer alone, and the input of a SimilarityMeasure.
///
/// @param warped    receives T(x − u), one value per voxel, and 0 where the images are not compared
/// @param gradient  receives ∇T(x − u), 1/mm, at voxels that are compared and may move, and 0 elsewhere
template <class Real>
LevelEnergy displaceTemplate(const DisplacedTemplate<Real>& displaced, const RegistrationOptions& options,
                             std::vector<Real>& warped, VectorField<Real>& gradient,
                             const Progress& progress);

template <class Real>
TemplateSamples<Real> samplesOf(const LevelImages<Real>& images, const Progress& progress);

/// The template and its gradient at x − u, see displacedTexel().
template <class Real>
Texel<Real> displacedSample(const TemplateSamples<Real>& samples, const Vec3<int>& size,
                            const Vec3<int>& voxel, const Vec3<Real>& u, const Vec3<Real>& inverseSpacing,
                            bool exact) {
  Texel<Real> texel = displacedTexel(samples.texels.data(), size, voxel, u, inverseSpacing, exact);
  if (samples.spline) texel.v[0] = displacedValue(samples.spline->view(), voxel, u, inverseSpacing);
  return texel;
}

/// The composition result(x) = u(x − dt v) + dt v at the voxels that may move. Fields are in mm along the
/// voxel axes, `spacing` is in mm, and no component of dt v exceeds a voxel.
template <class Real>
void compose(const VectorField<Real>& u, const VectorField<Real>& v, double dt, const Vec3<double>& spacing,
             VectorField<Real>& result, const Progress& progress);

template <class Real>
class SimilarityMeasure;

/// One level of the registration on the CPU, for descend().
template <class Real>
class RegistrationLevel {
 public:
  RegistrationLevel(LevelInput<Real> input, VectorField<Real> u, const RegistrationOptions& options,
                    Progress progress);
  ~RegistrationLevel();

  LevelEnergy start();
  Direction velocity(double momentum);
  LevelEnergy attempt(double dt);
  void hold();
  void accept();
  /// Smooths u by a Gaussian of `sigma` voxels.
  void relax(double sigma);

  /// start() and attempt() in two steps, between which the reference may change. Only for levels with a
  /// SimilarityMeasure.
  void displaceStart() { displace(u_); }
  void move(double dt) { compose(u_, velocity_, dt, spacing_, trial_, progress_); }
  void displaceTrial() { displace(trial_); }
  LevelEnergy compare();
  /// Uses the template of `other`, as currently displaced, as reference.
  void compareWith(const RegistrationLevel& other);

  /// The share of the voxels whose volume vanishes under the difference of the two displacements, in either
  /// direction, if guardsCorners(). Overwrites a's force.
  friend double vanishingBetweenStarts(RegistrationLevel& a, const RegistrationLevel& b) {
    return (a.vanishingIn(a.difference(a.u_, b.u_)) + a.vanishingIn(a.difference(b.u_, a.u_))) / 2;
  }
  friend double vanishingBetweenTrials(RegistrationLevel& a, const RegistrationLevel& b) {
    return (a.vanishingIn(a.difference(a.trial_, b.trial_)) +
            a.vanishingIn(a.difference(b.trial_, a.trial_))) /
           2;
  }
  /// hold() for both levels, around the voxels that vanishingBetweenTrials() finds.
  friend void holdBoth(RegistrationLevel& a, RegistrationLevel& b) {
    for (const bool forth : {true, false}) {
      const auto& between = forth ? a.difference(a.trial_, b.trial_) : a.difference(b.trial_, a.trial_);
      for (RegistrationLevel* level : {&a, &b})
        guardAgainstFolds(between, a.spacing_, level->velocity_, a.progress_);
    }
  }

  /// Replaces the velocity of a by half the difference of both, and that of b by its opposite.
  friend void oppose(RegistrationLevel& a, RegistrationLevel& b) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t at = 0; at < a.velocity_.values[i].size(); ++at) {
        Real &v = a.velocity_.values[i][at], &w = b.velocity_.values[i][at];
        v = Real(0.5) * (v - w);
        w = -v;
      }
  }

  void setProgress(Progress progress) { progress_ = std::move(progress); }
  const VectorField<Real>& displacement() const { return u_; }
  /// The force of the images that start() or attempt() stored for velocity(), 1/mm.
  const VectorField<Real>& imageForce() const { return force_; }
  VectorField<Real> takeDisplacement() { return std::move(u_); }

 private:
  /// The energies of a displacement; stores the force of the images.
  LevelEnergy energyOf(const VectorField<Real>& u);
  double vanishingIn(const VectorField<Real>& u) const;
  /// a − b, stored in the force.
  const VectorField<Real>& difference(const VectorField<Real>& a, const VectorField<Real>& b);
  /// Stores the displaced template, its gradient in place of the force, and the energies of bias and
  /// landmarks.
  void displace(const VectorField<Real>& u);

  /// Both images of a channel, and their similarity measure.
  struct Channel {
    LevelImages<Real> images;
    double share;  ///< share in the similarity
    TemplateSamples<Real> samples;
    std::unique_ptr<SimilarityMeasure<Real>> measure;  ///< null for squared differences of a single channel
    std::vector<Real> warped;                          ///< working memory of the measure
  };

  Vec3<int> size_;
  Vec3<double> spacing_;
  RegistrationOptions options_;
  Progress progress_;
  std::vector<Real> voxelWeights_;  ///< see LevelInput::weights
  std::vector<Channel> channels_;
  std::vector<double> weights_;                     ///< weights of the Gaussian that smooths the velocity
  LevelEnergy displaced_;                           ///< without the similarity
  const VectorField<Real>* displacedBy_ = nullptr;  ///< the displacement of the last displace()
  LandmarkTables<Real> landmarks_;
  VectorField<Real> u_, trial_, force_, velocity_;
};

}  // namespace sulcus::registration
