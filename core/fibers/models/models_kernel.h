#pragma once

#include "core/base/host_device.h"

#include <cmath>

namespace sulcus::fibers {

/// What a linear model is fitted to: a function t of the signal ratio E = S/S0.
enum class SignalTransform {
  ratio,  ///< t = E
  adc,    ///< t = −ln(E)/b in mm²/s, E clamped to at least kLeastRatio
  csa,    ///< t = ln(−ln E), E clamped to [kLeastRatio, 1 − kLeastRatio]
};
/// A signal below this share of S0 is noise; −ln E would become arbitrarily large as S approaches 0.
inline constexpr float kLeastRatio = 1e-3f;

/// The t of one measurement; b in s/mm², used only by adc.
SULCUS_HD inline float transformRatio(SignalTransform transform, float ratio, float b) {
  if (transform == SignalTransform::ratio) return ratio;
  const float low = ratio > kLeastRatio ? ratio : kLeastRatio;
  if (transform == SignalTransform::adc) return -std::log(low) / b;
  return std::log(-std::log(low < 1 - kLeastRatio ? low : 1 - kLeastRatio));
}

/// The ratio E for a fitted t; b in s/mm², used only by adc.
SULCUS_HD inline float ratioFromTransformed(SignalTransform transform, float t, float b) {
  if (transform == SignalTransform::ratio) return t;
  return std::exp(transform == SignalTransform::adc ? -b * t : -std::exp(t));
}

/// The standard deviation of numbers that are added one by one.
struct Spread {
  float first = 0, sum = 0, squares = 0;  ///< sums of the differences from the first number, which preserves
                                          ///< precision
  int count = 0;

  SULCUS_HD void add(float value) {
    if (count++ == 0) first = value;
    sum += value - first;
    squares += (value - first) * (value - first);
  }
  SULCUS_HD float deviation() const {
    const float mean = sum / float(count), variance = squares / float(count) - mean * mean;
    return variance > 0 ? std::sqrt(variance) : 0.0f;
  }
};

/// Generalized anisotropy, 0…1: standard deviation over root mean square of a function on the sphere (Tuch,
/// Magn Reson Med 52 (2004) 1358).
///
/// @param harmonics  `count` orthonormal spherical harmonics, in the order of their numbers
SULCUS_HD inline float generalizedAnisotropy(const float* harmonics, int count) {
  float power = 0;
  for (int j = 1; j < count; ++j) power += harmonics[j] * harmonics[j];
  const float total = power + harmonics[0] * harmonics[0];
  return total > 0 ? std::sqrt(power / total) : 0.0f;
}

/// With less white matter than this in a voxel, its fiber distribution consists of rounding errors.
inline constexpr float kLeastWhiteMatter = 0.01f;

/// The weight of the anisotropy of a fiber distribution: 1 unless there is hardly any white matter.
///
/// @param volume  volume of white matter, 1 for a voxel that consists of it
SULCUS_HD inline float whiteMatterShare(float volume) {
  if (volume >= kLeastWhiteMatter) return 1;
  return volume > 0 ? volume / kLeastWhiteMatter : 0.0f;
}

}  // namespace sulcus::fibers
