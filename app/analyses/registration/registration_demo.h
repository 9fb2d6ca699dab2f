#pragma once

#include "core/analysis/analysis.h"

#include <vector>

// Pairs of images with a known answer: computed, or made from a scan.
namespace sulcus::app::analyses {

std::vector<OptionInfo> registrationDemoOptions();
/// The computed pair.
AnalysisInputs registrationDemo(const OptionValues& values);

/// What a pair can be made from.
std::vector<InputSlot> registrationPhantomSlots();
/// The pair made from the scan in "image" and its regions in "labels". Throws Error if there is no image.
AnalysisInputs registrationPhantomOf(const AnalysisInputs& given, const OptionValues& values);

}  // namespace sulcus::app::analyses
