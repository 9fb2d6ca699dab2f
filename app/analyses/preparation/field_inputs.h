#pragma once

#include "core/analysis/analysis.h"
#include "core/preparation/distortion/series_field.h"

// What the field that distorts a series is found by, as an input of every analysis that prepares one.
namespace sulcus::app::analyses {

inline constexpr const char* kFieldmapSlot = "fieldmap";
/// What is said where that slot has layers and nothing is prepared.
inline constexpr const char* kFieldmapUnused = "Field map scans were not used: Prepare is off.";

InputSlot fieldmapSlot();

/// What the layers in that slot are, by their sidecars.
///
/// @param series  that is to be prepared
preparation::FieldScans fieldScansIn(const AnalysisInputs& inputs, const Layer& series);

}  // namespace sulcus::app::analyses
