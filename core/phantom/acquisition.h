#pragma once

#include "core/image/volume.h"

#include <array>
#include <cstdint>

// How one scan of a head differs from another: contrast, receive field, signal loss.
namespace sulcus::phantom {

/// none: unchanged intensities. remapped: fluid bright, gray matter intermediate, white matter dark, as T2
/// relative to T1. inverted: bright and dark exchanged.
enum class PhantomContrast { none, remapped, inverted };

/// The ends of the intensities of an image.
struct IntensityRange {
  double dark = 0, bright = 1;
};
/// From the smallest value of an image to the 98th percentile of the values above its mean.
IntensityRange intensityRange(const Series<float>& image);

/// The intensity in another contrast. remapped applies a curve through six points that rises and falls,
/// inverted returns dark + bright − value.
double inContrast(double value, const IntensityRange& range, PhantomContrast contrast);

/// A smooth receive field (bias field): a wave along each axis of the image.
class ReceiveField {
 public:
  /// @param strength  0: none; 1: factors from exp(−0.3) = 0.74 to exp(0.3) = 1.35
  ReceiveField(int seed, double strength);
  /// The factor at a position relative to the image, −0.5…0.5 along each axis.
  double operator()(const Vec3<double>& position) const;

 private:
  double wave(const Vec3<double>& position) const;

  std::array<double, 3> cycles_{}, phase_{};
  double strength_, lowest_ = 0, highest_ = 1;
};

/// The location of the bright part of an image, mm, RAS+.
struct BrightPart {
  Vec3<double> center, spread;  ///< mean and standard deviation of the positions
};
/// The location of the voxels above the mean.
BrightPart brightPart(const Series<float>& image);

/// Signal loss as in echo-planar images above the sinuses: two Gaussian blobs low in the front of the brain
/// and to the right of that, as wide as a third of the bright part's spread.
class SignalLoss {
 public:
  /// @param strength  share of the signal that is lost at the center of the larger blob
  SignalLoss(const BrightPart& brain, double strength);
  /// The factor at a position in mm, RAS+.
  double operator()(const Vec3<double>& position) const;

 private:
  std::array<Vec3<double>, 2> centers_;
  double width_, strength_;
};

}  // namespace sulcus::phantom
