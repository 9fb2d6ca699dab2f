#pragma once

#include "core/analysis/analysis.h"
#include "core/preparation/motion_parameters.h"

#include <vector>

namespace sulcus::preparation {

/// How far the estimated motion is from the true one, one row for shifts and one for rotations. The position
/// of rest is arbitrary: an offset that all volumes share is ignored.
///
/// @param center  of the image, mm, RAS+
/// @return  empty for a different number of volumes
std::vector<AgreementRow> compareMotionWithTruth(const std::vector<Motion>& found,
                                                 const std::vector<Motion>& truth,
                                                 const Vec3<double>& center);

}  // namespace sulcus::preparation
