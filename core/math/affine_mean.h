#pragma once

#include "core/math/affine.h"

#include <optional>
#include <span>

namespace sulcus {

/// The matrix logarithm of a map in homogeneous coordinates: m has the upper 3 × 3 entries, t the
/// translation. nullopt where there is no real one, as of half a turn or a reflection.
std::optional<Affine> logarithmOf(const Affine& map);

/// The map whose logarithm this is.
Affine exponentialOf(const Affine& logarithm);

/// The middle of maps: the M for which the logarithms of M⁻¹ ∘ map have the mean 0 (Arsigny et al., MICCAI
/// 2006). It does not depend on their order; that of the inverses is its inverse. nullopt where a map stands
/// at half a turn to it.
std::optional<Affine> middleOf(std::span<const Affine> maps);

}  // namespace sulcus
