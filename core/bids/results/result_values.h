#pragma once

#include "core/analysis/analysis.h"
#include "core/io/streams/file_json.h"

#include <span>
#include <string>
#include <vector>

// Figures computed from the layers and files of a result.
namespace sulcus::bids {

/// The layer of this name, or null.
const Layer* layerNamed(const RunResult& result, const std::string& name);
/// The values of the volume of this name; empty if there is no such layer.
std::span<const float> valuesOf(const RunResult& result, const std::string& name);
/// Median of the sound values for which `counts` is above 0; NaN if there are none.
double medianWhere(std::span<const float> values, std::span<const float> counts);

/// A JSON file of the result; an empty object if missing.
nlohmann::ordered_json jsonFile(const RunResult& result, const std::string& name);
/// The number at a path in it; NaN if missing.
double numberAt(const nlohmann::ordered_json& json, const std::vector<const char*>& path);

}  // namespace sulcus::bids
