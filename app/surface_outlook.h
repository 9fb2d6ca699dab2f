#pragma once

#include "core/analysis/analysis.h"

#include <map>
#include <string>

// What is told of a surface before it is denoised: on the UI thread, so nothing here takes long.
namespace sulcus::app {

/// "'white' above 0.5 (its values: 0 to 1). About 153 000 voxels within 3 of the surface."
std::string adviseSurface(const AnalysisInputs& inputs, const OptionValues& values);

/// Of the threshold all finite values of the image, of the label those of the mask.
std::map<std::string, Range> surfaceSpans(const AnalysisInputs& inputs);

/// Voxels that the band will have, about: from the faces between inside and outside, of which a surface in
/// any direction has half as many again as its area. 0 where there is no surface.
double bandEstimate(const AnalysisInputs& inputs, const OptionValues& values);

}  // namespace sulcus::app
