#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

// Lengths, areas and volumes for people, of a head as of a mouse.
namespace sulcus {

/// A number with a fixed count of decimals; never −0.
inline std::string fixedText(double value, int decimals) {
  const double step = std::pow(10.0, -decimals);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, std::round(value / step) * step + 0.0);
  return text;
}

/// A size with so many decimals, and from 1 downwards with three digits, such as 0.00512: never 0 for what is
/// not.
inline std::string figure(double value, int decimals = 1) {
  constexpr int kMostDecimals = 9;
  const double size = std::abs(value);
  if (size >= 1 || !(size > 0)) return fixedText(value, decimals);
  return fixedText(value, std::clamp(2 - int(std::floor(std::log10(size))), decimals, kMostDecimals));
}

/// The decimals of places in mm beside voxels of this edge: enough for a fifth of it.
inline int placeDecimals(double edge) {
  return edge > 0 ? std::clamp(int(std::ceil(-std::log10(edge / 5) - 1e-9)), 1, 6) : 1;
}

}  // namespace sulcus
