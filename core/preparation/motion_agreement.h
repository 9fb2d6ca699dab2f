#pragma once

#include "core/analysis/analysis.h"
#include "core/preparation/motion_parameters.h"

#include <vector>

namespace sulcus::preparation {

/// How far the motion that was found is from the true one, a row for shifts and one for turns. Where the head
/// rests is a matter of taste: the offset that is common to all volumes does not count.
///
/// @param center  of the image, mm, RAS+
/// @return  none for another number of volumes
std::vector<AgreementRow> compareMotionWithTruth(const std::vector<Motion>& found,
                                                 const std::vector<Motion>& truth,
                                                 const Vec3<double>& center);

}  // namespace sulcus::preparation
