#pragma once

#include "core/analysis/analysis.h"
#include "core/preparation/distortion/series_field.h"

// What the field that distorts a series is found by, as an input of every analysis that prepares one.
namespace sulcus::app::analyses {

inline constexpr const char* kFieldmapSlot = "fieldmap";
inline constexpr const char* kAnatomySlot = "t1";
/// What is said where that slot has layers and nothing is prepared.
inline constexpr const char* kFieldmapUnused = "Field map scans were not used: Prepare is off.";

InputSlot fieldmapSlot();
/// The own T1 scan, which shows the field where there are no field map scans.
InputSlot anatomySlot();

/// What the layers in these slots are, by their sidecars.
///
/// @param series  that is to be prepared
preparation::FieldScans fieldScansIn(const AnalysisInputs& inputs, const Layer& series);

}  // namespace sulcus::app::analyses
