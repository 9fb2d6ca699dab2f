#include "core/io/scan_timing.h"

#include "core/io/companions.h"
#include "core/io/file_json.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// The sidecars that apply to a scan, the nearest first.
std::vector<fs::path> sidecarsOf(const fs::path& scan) {
  std::vector<fs::path> files;
  std::error_code fault;
  fs::path folder = fs::absolute(scan, fault).parent_path();
  for (int level = 0; level < 4 && !folder.empty(); ++level) {
    const fs::path file = inherited(folder / scan.filename(), ".json");
    if (file.empty()) break;
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
    const std::string name = folder.filename().string();
    // Above the root of a data set nothing belongs to it.
    if (fs::exists(folder / "dataset_description.json", fault)) break;
    if (level > 0 && !name.starts_with("ses-") && !name.starts_with("sub-")) break;
    folder = folder.parent_path();
  }
  return files;
}

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

}  // namespace

ScanTiming readScanTiming(const fs::path& scan) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const fs::path& file : sidecarsOf(scan)) {
    const auto json = openCompanionJson(file).object;  // opening the scan tells what is wrong with it
    for (const auto& [key, value] : json.items())
      if (!all.contains(key)) all[key] = value;
  }
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
  return timing;
}

}  // namespace sulcus::io
