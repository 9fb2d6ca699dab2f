#pragma once

#include "core/image/layer.h"

#include <string>

namespace sulcus {

/// The letter of a statistic that a NIfTI header names by its intent, as unit of its values: "t", "F", "z",
/// "r", "χ²", "p". Empty for other intents.
std::string statisticOfIntent(int intent);

/// Whether a volume is the map of a statistic, as far as its file says: its values have such a unit, or it
/// is called as FSL, SPM and BIDS call them ("zstat1", "spmT_0001", "…_statmap").
bool isStatisticMap(const Layer& layer);
/// Whether an image has one volume of shares or probabilities around which there is nothing: values from 0 to
/// 1, of which many are 0 and others in between.
bool isProbabilityMap(const Layer& layer);

}  // namespace sulcus
