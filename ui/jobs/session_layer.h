#pragma once

#include "core/image/layer.h"
#include "ui/jobs/session_json.h"

namespace sulcus::ui::jobs {

/// The convention of a displacement field in a session; ITK's unless said.
FieldConvention conventionOf(const Json& json);

/// Gives tracts the bundles that a session says, whose lines are looked for anew. Throws as restore() does,
/// and Error for a region that is none.
void restoreBundles(Layer& layer, const Json& json);
/// Gives a layer that was opened from a session's folder what its file does not hold to the last bit: its
/// grid, the times, names and gradients of volumes, the convention of a field, the labels of a surface.
/// Throws nlohmann::json::exception or std::out_of_range for JSON of another shape.
void restore(Layer& layer, const Json& json);

}  // namespace sulcus::ui::jobs
