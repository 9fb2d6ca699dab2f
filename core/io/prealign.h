#pragma once

#include "core/registration/registration.h"

namespace sulcus::io {

/// By ITK: Mattes mutual information, so that the contrasts may differ; from the centres of mass, first
/// rigid, then (affine) general. The voxels that are compared are about a quarter, then an eighth of the
/// object's radius wide, at most 50 000 of them: neither time nor error depends on the number of voxels. Two
/// planes are aligned in their plane. Cancelled at every iteration.
///
/// @throws Error  also for planes that stand steeply to each other, and when what was found is no alignment
Prealign prealign;

}  // namespace sulcus::io
