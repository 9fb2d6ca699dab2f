#pragma once

#include "core/analysis/analysis.h"
#include "core/surface/band_estimate.h"

#include <map>
#include <string>

// Checks of a surface before it is denoised. They run on the UI thread, so nothing here takes long.
namespace sulcus::app::analyses {

/// "'white' above 0.5 (its values: 0 to 1). About 153 000 voxels lie within 3 voxels of the surface." Throws
/// Error if no run is possible.
std::string validateSurface(const AnalysisInputs& inputs, const OptionValues& values);

/// For the threshold, the range of all finite values of the image; for the label, of those of the mask.
std::map<std::string, Range> surfaceSpans(const AnalysisInputs& inputs);

/// The approximate number of voxels in the band and its grid. 0 if there is no surface.
surface::BandEstimate bandEstimate(const AnalysisInputs& inputs, const surface::SurfaceOptions& options);

}  // namespace sulcus::app::analyses
