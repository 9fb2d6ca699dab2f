#pragma once

#include "core/registration/registration.h"

namespace sulcus::test {

/// The oracle of linear registration: alignment by ITK. It maximizes the mutual information of Mattes from
/// the centers of mass on, or from the initial map: first over rigid and then, for LinearAlignment::affine,
/// over general linear maps. The voxels that are compared are about a quarter and then an eighth of the
/// object's radius wide, and at most 50 000. It throws what ITK throws.
registration::AlignLinearly itkAlignLinearly;

}  // namespace sulcus::test
