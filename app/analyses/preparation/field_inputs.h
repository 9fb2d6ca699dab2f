#pragma once

#include "core/analysis/analysis.h"
#include "core/preparation/distortion/series_field.h"

#include <optional>

// The scans that show the field distorting a series, as inputs of every analysis that prepares one.
namespace sulcus::app::analyses {

inline constexpr const char* kFieldmapSlot = "fieldmap";
inline constexpr const char* kAnatomySlot = "t1";
/// The warning if these scans are given but nothing is prepared.
inline constexpr const char* kFieldmapUnused = "Field map scans were not used: Prepare is off.";

InputSlot fieldmapSlot(std::string usedWith = {});
/// A T1 scan of the same head, which shows the field if there are no field map scans.
InputSlot anatomySlot();

/// The layers in these slots, identified by their sidecars.
///
/// @param series  to be prepared
preparation::FieldScans fieldScansIn(const AnalysisInputs& inputs, const Layer& series);

/// Voxel axis of the phase encoding of a series by its JSON file; null: not stated.
std::optional<int> phaseAxisOf(const Layer& series);

}  // namespace sulcus::app::analyses
