#pragma once

#include "core/registration/deformation/registration_level.h"
#include "core/registration/linear/halfway_space.h"

#include <algorithm>

namespace sulcus::registration {

/// Two levels that flow towards each other, for descend(): each uses the other's template, as currently
/// displaced, as its reference. The velocities are made opposite, since their common part would move the
/// middle, towards regions that are alike and away from others. Volumes must not vanish under u₁ − u₂, which
/// is the displacement from one image to the other, up to the position at which it is evaluated. With h₁ = x
/// − u₁ and h₂ = x − u₂ the energy is S(T∘h₁, R∘h₂) + 2 λ (bias(h₁) + bias(h₂)), in which λ has the same
/// meaning as for a single displacement: each half of a small displacement has a quarter of its bias. The
/// same holds for the landmarks, of which each image has its own.
template <class Half>
class SymmetricLevel {
 public:
  /// Both functions make a level of the same grid, with the options of symmetricHalf().
  template <class MakeTemplate, class MakeReference>
  SymmetricLevel(const MakeTemplate& ofTemplate, const MakeReference& ofReference)
      : ofTemplate_(ofTemplate()), ofReference_(ofReference()) {}

  LevelEnergy start() {
    const double share = vanishingBetweenStarts(ofTemplate_, ofReference_);
    ofTemplate_.displaceStart(), ofReference_.displaceStart();
    LevelEnergy energy = compare();
    energy.vanishing = std::max(energy.vanishing, share);
    return energy;
  }
  Direction velocity(double momentum) {
    const Direction a = ofTemplate_.velocity(momentum), b = ofReference_.velocity(momentum);
    oppose(ofTemplate_, ofReference_);
    return {(a.speed + b.speed) / 2, (a.slope + b.slope)};  // at least the speed of half the difference
  }
  LevelEnergy attempt(double dt) {
    ofTemplate_.move(dt), ofReference_.move(dt);
    if (const double share = vanishingBetweenTrials(ofTemplate_, ofReference_); share > 0)
      return vanishing(share);
    ofTemplate_.displaceTrial(), ofReference_.displaceTrial();
    return compare();
  }
  void hold() { holdBoth(ofTemplate_, ofReference_); }
  void accept() { ofTemplate_.accept(), ofReference_.accept(); }
  void relax(double sigma) { ofTemplate_.relax(sigma), ofReference_.relax(sigma); }

  void setProgress(const Progress& progress) {
    ofTemplate_.setProgress(progress), ofReference_.setProgress(progress);
  }
  /// The displacement of the template only.
  const VectorField<float>& displacement() { return ofTemplate_.displacement(); }
  HalfDisplacements takeDisplacement() {
    return {ofTemplate_.takeDisplacement(), ofReference_.takeDisplacement()};
  }

 private:
  LevelEnergy compare() {
    ofTemplate_.compareWith(ofReference_), ofReference_.compareWith(ofTemplate_);
    const LevelEnergy a = ofTemplate_.compare(), b = ofReference_.compare();
    return {(a.similarity + b.similarity) / 2, 2 * (a.bias + b.bias), std::min(a.smallestJ, b.smallestJ),
            (a.vanishing + b.vanishing) / 2, a.landmarks + b.landmarks};
  }

  Half ofTemplate_, ofReference_;
};

/// The options of each level of a SymmetricLevel.
inline RegistrationOptions symmetricHalf(RegistrationOptions options) {
  options.lambda *= 2;
  options.landmarkWeight *= 2;
  return options;
}

}  // namespace sulcus::registration
