#pragma once

#include "core/math/affine.h"

#include <optional>
#include <span>

namespace sulcus {

/// The matrix logarithm of a map in homogeneous coordinates: m has the upper 3 × 3 entries, t the
/// translation. nullopt if there is no real one, as for a rotation by 180° or a reflection.
std::optional<Affine> logarithmOf(const Affine& map);

/// The map with this logarithm.
Affine exponentialOf(const Affine& logarithm);

/// The mean of maps: the M for which the logarithms of M⁻¹ ∘ map have the mean 0 (Arsigny et al., MICCAI
/// 2006). It does not depend on their order, and the mean of the inverses is its inverse. nullopt if a map
/// differs from it by a rotation of 180°.
std::optional<Affine> middleOf(std::span<const Affine> maps);

}  // namespace sulcus
