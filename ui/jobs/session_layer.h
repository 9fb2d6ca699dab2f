#pragma once

#include "core/image/layer.h"
#include "ui/jobs/session_json.h"

namespace sulcus::ui::jobs {

/// The convention of a displacement field in a session; ITK's by default.
FieldConvention conventionOf(const Json& json);

/// Gives tracts the bundles listed in a session, whose lines are searched again; `labelsOf` has the contents
/// of the session. Throws like restore(), and Error for an invalid region.
void restoreBundles(Layer& layer, const Json& json, const LabelsOfNumber& labelsOf);
/// Restores what the file of a layer from a session's folder does not hold exactly: its grid, the times,
/// names and gradients of volumes, the convention of a field, the labels of a surface. Throws
/// nlohmann::json::exception or std::out_of_range for JSON of a different structure.
void restore(Layer& layer, const Json& json);

}  // namespace sulcus::ui::jobs
