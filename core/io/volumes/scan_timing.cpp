#include "core/io/volumes/scan_timing.h"

#include "core/io/companions.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

std::vector<double> numbersAt(const nlohmann::ordered_json& json, const char* key) {
  std::vector<double> numbers;
  const auto found = json.find(key);
  if (found == json.end()) return numbers;
  if (found->is_number()) return {found->get<double>()};
  if (!found->is_array()) return numbers;
  for (const auto& number : *found) {
    if (!number.is_number() || !std::isfinite(number.get<double>())) return {};
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

/// Whether a value is usable: words and null are not, nor is a time of 0 between volumes.
bool says(const std::string& key, const nlohmann::ordered_json& value) {
  return value.is_array() || (key == "SliceEncodingDirection" && value.is_string()) ||
         (value.is_number() && (key != "RepetitionTime" || value.get<double>() > 0));
}

/// What sidecars say, each value from the first one that says it. Without the times of the slices if one says
/// that they were corrected, so that the slices represent the same time.
nlohmann::ordered_json valuesIn(std::span<const fs::path> sidecars) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  bool isCorrected = false;
  for (const fs::path& file : sidecars) {
    const auto json = openCompanionJson(file).object;  // opening the scan reports errors
    isCorrected = isCorrected || json.value("SliceTimingCorrected", nlohmann::ordered_json()) == true;
    for (const auto& [key, value] : json.items())
      if (!all.contains(key) && says(key, value)) all[key] = value;
  }
  if (isCorrected) all.erase("SliceTiming");
  return all;
}

}  // namespace

ScanTiming timingIn(std::span<const fs::path> sidecars) {
  const auto all = valuesIn(sidecars);
  const auto numberAt = [&](const char* key, double none) {
    const auto numbers = numbersAt(all, key);
    return numbers.size() == 1 && std::isfinite(numbers[0]) ? numbers[0] : none;
  };
  ScanTiming timing;
  timing.repetition = numberAt("RepetitionTime", 0);
  timing.delay = numberAt("DelayTime", 0);
  timing.acquisition = numberAt("AcquisitionDuration", numberAt("FrameAcquisitionDuration", 0));
  timing.reference = numberAt("StartTime", -1);
  timing.volumes = numbersAt(all, "VolumeTiming");
  if (timing.volumes.empty()) timing.volumes = numbersAt(all, "FrameTimesStart");
  timing.slices = numbersAt(all, "SliceTiming");
  if (const auto axis = all.find("SliceEncodingDirection"); axis != all.end() && axis->is_string()) {
    const auto direction = axis->get<std::string>();  // i, j or k; with - the last slice comes first
    if (direction.starts_with('i')) timing.sliceAxis = 0;
    if (direction.starts_with('j')) timing.sliceAxis = 1;
    if (direction.ends_with('-')) std::ranges::reverse(timing.slices);
  }
  return timing;
}

ScanTiming readScanTiming(const fs::path& scan) { return timingIn(sidecarsOf(scan)); }

}  // namespace sulcus::io
