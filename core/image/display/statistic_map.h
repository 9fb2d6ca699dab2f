#pragma once

#include "core/image/layer.h"

#include <string>

namespace sulcus {

/// The letter of a statistic given by the intent of a NIfTI header, as the unit of its values: "t", "F", "z",
/// "r", "χ²", "p". Empty for other intents.
std::string statisticOfIntent(int intent);

/// Whether a volume is a statistical map as far as its file says: its values have such a unit, or it
/// is named as FSL, SPM and BIDS name them ("zstat1", "spmT_0001", "…_statmap").
bool isStatisticMap(const Layer& layer);
/// If an image has one volume that looks like shares or probabilities, the value of what is certain: 1, or
/// 100 where they are in percent; else 0. Many of its values are 0 and others in between.
int certaintyIn(const Layer& layer);

}  // namespace sulcus
