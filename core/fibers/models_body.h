#pragma once

#include "core/base/host_device.h"

#include <cmath>

namespace sulcus {

/// How the weighted signal enters a linear fit, as a function t of the ratio E = S/S0.
enum class SignalTransform {
  ratio,  ///< t = E
  adc,    ///< t = −ln(E)/b in mm²/s, E held at or above kLeastRatio
  csa,    ///< t = ln(−ln E), E held within [kLeastRatio, 1 − kLeastRatio]
};
/// Below this share of S0 a signal is noise: −ln E would grow without bound where S reaches 0.
inline constexpr float kLeastRatio = 1e-3f;

/// t of one measurement; `b` in s/mm² (read by adc only).
SULCUS_HD inline float transformRatio(SignalTransform transform, float ratio, float b) {
  if (transform == SignalTransform::ratio) return ratio;
  const float low = ratio > kLeastRatio ? ratio : kLeastRatio;
  if (transform == SignalTransform::adc) return -std::log(low) / b;
  return std::log(-std::log(low < 1 - kLeastRatio ? low : 1 - kLeastRatio));
}

/// E for a fitted t.
SULCUS_HD inline float ratioFromTransformed(SignalTransform transform, float t, float b) {
  if (transform == SignalTransform::ratio) return t;
  return std::exp(transform == SignalTransform::adc ? -b * t : -std::exp(t));
}

/// Standard deviation over root mean square of a function on the sphere, 0…1, from its orthonormal harmonics.
/// Tuch, Magn Reson Med 52 (2004) 1358.
SULCUS_HD inline float generalizedAnisotropy(const float* harmonics, int count, int stride = 1) {
  float power = 0;
  for (int j = 1; j < count; ++j) power += harmonics[j * stride] * harmonics[j * stride];
  const float total = power + harmonics[0] * harmonics[0];
  return total > 0 ? std::sqrt(power / total) : 0.0f;
}

}  // namespace sulcus
