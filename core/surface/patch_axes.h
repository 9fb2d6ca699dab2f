#pragma once

#include <cstddef>
#include <vector>

namespace sulcus::surface {

/// The number of axes along which patches of level sets differ most: the polynomials up to degree 2. On noisy
/// surfaces they capture as much of the variance as the same number of principal axes, and need not be
/// fitted.
inline constexpr int kLeadingAxes = 10;

/// The axes for patches of side³ values, as kLeadingAxes × side³ numbers, those of an axis adjacent. They are
/// orthonormal, so that a distance along them never exceeds that of the patches.
std::vector<double> patchAxes(int side);

}  // namespace sulcus::surface
