#include "core/bids/results/result_values.h"

#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"

#include <cmath>

namespace sulcus::bids {

const Layer* layerNamed(const RunResult& result, const std::string& name) {
  for (const Layer& layer : result.layers)
    if (layer.name == name) return &layer;
  return nullptr;
}

std::span<const float> valuesOf(const RunResult& result, const std::string& name) {
  const Layer* layer = layerNamed(result, name);
  const auto* volume = layer ? std::get_if<VolumeLayer>(&layer->content) : nullptr;
  return volume ? std::span<const float>(volume->series->values) : std::span<const float>();
}

double medianWhere(std::span<const float> values, std::span<const float> counts) {
  std::vector<float> kept;
  for (std::size_t i = 0; i < values.size() && i < counts.size(); ++i)
    if (counts[i] > 0 && isSound(values[i])) kept.push_back(values[i]);
  return kept.empty() ? NAN : double(upperMedian(kept));
}

nlohmann::ordered_json jsonFile(const RunResult& result, const std::string& name) {
  for (const auto& file : result.files)
    if (file.name == name) return io::parseJson(file.text, name);
  return nlohmann::ordered_json::object();
}

double numberAt(const nlohmann::ordered_json& json, const std::vector<const char*>& path) {
  const nlohmann::ordered_json* at = &json;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return NAN;
    at = &(*at)[key];
  }
  return at->is_number() ? at->get<double>() : NAN;
}

}  // namespace sulcus::bids
