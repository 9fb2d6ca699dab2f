#pragma once

#include "core/base/progress.h"
#include "core/registration/descent.h"
#include "core/registration/registration.h"
#include "core/registration/registration_body.h"
#include "core/registration/vector_field.h"

#include <vector>

namespace sulcus {

/// Both images of one level of the pyramid, x fastest, of equal size.
template <class Real>
struct LevelImages {
  Vec3<int> size{0, 0, 0};
  Vec3<double> spacing{1, 1, 1};  ///< mm
  std::vector<Real> moving;       ///< the template, pre-aligned
  std::vector<Real> reference;    ///< NaN: the images are not compared there
};

/// Energies of u, and what the force needs of the images.
///
/// @param texels      of the template, see texelsOf()
/// @param imageForce  gets (T(x − u) − R) ∇T(x − u) at voxels that may move, 0 elsewhere
template <class Real>
LevelEnergy evaluate(const LevelImages<Real>& images, const std::vector<Texel<Real>>& texels,
                     const VectorField<Real>& u, TemplateGradient gradient, VectorField<Real>& imageForce,
                     const Progress& progress);

/// The template with its central differences.
template <class Real>
std::vector<Texel<Real>> texelsOf(const LevelImages<Real>& images, const Progress& progress);

/// u_new(x) = u(x − dt v) + dt v at the voxels that may move.
template <class Real>
void compose(const VectorField<Real>& u, const VectorField<Real>& v, double dt, const Vec3<double>& spacing,
             VectorField<Real>& result, const Progress& progress);

/// One level of the CPU's descent, see descend().
template <class Real>
class RegistrationLevel {
 public:
  RegistrationLevel(LevelImages<Real> images, VectorField<Real> u, const RegistrationOptions& options,
                    Progress progress);

  LevelEnergy start();
  double velocity(double momentum);
  LevelEnergy attempt(double dt);
  void hold();
  void accept();
  void relax(double sigma);

  void setProgress(Progress progress) { progress_ = std::move(progress); }
  const VectorField<Real>& displacement() const { return u_; }
  VectorField<Real> takeDisplacement() { return std::move(u_); }
  const LevelImages<Real>& images() const { return images_; }
  const std::vector<Texel<Real>>& texels() const { return texels_; }

 private:
  LevelImages<Real> images_;
  RegistrationOptions options_;
  Progress progress_;
  std::vector<Texel<Real>> texels_;
  std::vector<double> weights_;
  VectorField<Real> u_, trial_, force_, velocity_;
};

}  // namespace sulcus
