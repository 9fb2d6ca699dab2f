#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

// Lengths, areas and volumes as text, at the scale of a human head or of a mouse.
namespace sulcus {

/// A number with a fixed count of decimals; never −0.
inline std::string fixedText(double value, int decimals) {
  const double step = std::pow(10.0, -decimals);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, std::round(value / step) * step + 0.0);
  return text;
}

/// A number with so many significant digits, those that are 0 at its end left out.
inline std::string significantText(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// A size with the given number of decimals, or below 1 with three significant digits, such as 0.00512, so
/// that a nonzero size is never shown as 0.
inline std::string figure(double value, int decimals = 1) {
  constexpr int kMostDecimals = 9;
  const double size = std::abs(value);
  if (size >= 1 || !(size > 0)) return fixedText(value, decimals);
  return fixedText(value, std::clamp(2 - int(std::floor(std::log10(size))), decimals, kMostDecimals));
}

/// The number of decimals for positions in mm where voxels have this edge: enough to resolve a fifth of it.
inline int placeDecimals(double edge) {
  return edge > 0 ? std::clamp(int(std::ceil(-std::log10(edge / 5) - 1e-9)), 1, 6) : 1;
}

}  // namespace sulcus
