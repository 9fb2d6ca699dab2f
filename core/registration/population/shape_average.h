#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/math/affine.h"

namespace sulcus::registration {

/// Where an average is bright: above its mean.
Mask objectOf(const Volume<float>& average);

/// The center of an object, mm; 0 of an empty one.
Vec3<double> centerOf(const Mask& object);

/// A scale that leaves a center where it is.
Affine scaleAbout(const Vec3<double>& center, double factor);

/// The correlation of two images in an object, over the voxels where neither is NaN.
double correlationIn(const Volume<float>& image, const Volume<float>& average, const Mask& object);

/// The middle of deformations that are added one by one, all on one grid along the axes of the scanner. It is
/// computed from velocities: that of the map x + w(x) is w − ½ Dw w up to third order, so that a map and its
/// inverse have the middle 0.
class ShapeAverage {
 public:
  ShapeAverage(const Grid& grid, const Mask& object);

  /// @param field               as in RegistrationResult, on the grid
  /// @param personFromTemplate  the linear map that it includes
  void add(const Series<float>& field, const Affine& personFromTemplate, const Progress& progress);

  /// Distance of the people from the middle: root mean square of the mean velocity in the object, voxels.
  double moved() const;
  /// The new middle, relative to the one in which the deformations were added.
  struct Middle {
    /// A scale about the center of the object that is prepended to everybody's linear map: it makes the mean
    /// of log J over people and object 0.
    Affine scale;
    /// The exponential of the negative mean velocity, after `scale`: 3 volumes, mm, RAS+, x + reshaping(x).
    Series<float> reshaping;
  };
  Middle middle(const Progress& progress) const;

 private:
  Vec3<double> meanAt(std::int64_t voxel) const;

  Mask object_;
  Series<float> sum_;
  Volume<float> logJacobian_;  ///< sum over people
  int people_ = 0;
};

}  // namespace sulcus::registration
