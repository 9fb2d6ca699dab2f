#pragma once

#include "core/registration/registration.h"

namespace sulcus::toolkits {

/// Pre-alignment by ITK. It maximizes the mutual information of Mattes, so that the contrasts may differ,
/// from the centres of mass on: first over rigid and then, for Prealignment::affine, over general linear
/// maps. With an initial map it starts there instead, over rigid maps from its rigid part, and over general
/// ones from all of it. The voxels that are compared are about a quarter and then an eighth of the object's
/// radius wide, and at most 50 000, so that neither time nor error depends on the number of voxels. Two
/// planes are aligned within their plane. It can be cancelled at every iteration.
///
/// @throws Error  also for planes at more than 45° to each other, for an initial map that mirrors, and when
/// the
///                map changes volumes too much
registration::Prealign prealign;

}  // namespace sulcus::toolkits
