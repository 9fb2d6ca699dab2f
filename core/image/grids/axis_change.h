#pragma once

#include "core/image/diffusion/gradients.h"
#include "core/image/volume.h"

#include <array>
#include <string>
#include <string_view>

namespace sulcus {

/// A flip and permutation of the axes of an image for directions on it: component i along the image's axes
/// becomes sign[i] · component source[i].
struct AxisChange {
  std::array<int, 3> source{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};

  bool asGiven() const { return *this == AxisChange{}; }
  friend bool operator==(const AxisChange&, const AxisChange&) = default;
};

inline constexpr const char* kAxesReinterpretation =
    "axes ";  ///< the beginning of a Reinterpretation along other axes

/// "as given", "x flipped", "x and y exchanged, z flipped"
std::string describeChange(const AxisChange& change);
/// "-x y z": the old component that each new one is taken from.
std::string axesText(const AxisChange& change);
/// The inverse of axesText(). Throws Error for other texts.
AxisChange axesFrom(std::string_view text);

/// A direction along the axes of an image after the change.
Vec3<double> changed(const AxisChange& change, const Vec3<double>& inImageAxes);
/// The composition: `first`, then `second`.
AxisChange followed(const AxisChange& first, const AxisChange& second);
/// A gradient table after a change of the axes of its image; directions stay in world axes.
GradientTable withAxisChange(const GradientTable& gradients, const Grid& grid, const AxisChange& change);
/// Peaks after a change of axes: 3 volumes per direction, world axes, NaN if there is none.
Series<float> withAxisChange(const Series<float>& peaks, const AxisChange& change);

}  // namespace sulcus
