#pragma once

#include <cstddef>
#include <vector>

namespace sulcus {

/// Axes of patches along which those of level sets differ most: polynomials up to degree 2. On noisy surfaces
/// they hold as much of the variance as as many principal axes, and need not be fitted.
inline constexpr int kLeadingAxes = 10;

/// The axes for patches of side³ values: kLeadingAxes × side³, orthonormal, so that coordinates along them
/// are never farther apart than the patches.
std::vector<double> patchAxes(int side);

}  // namespace sulcus
