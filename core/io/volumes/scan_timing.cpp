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

/// Adds the sidecars in a folder and above it that apply to a scan of this name, the nearest first. Returns
/// the root of the data set; "" where it is in none.
fs::path addSidecars(std::vector<fs::path>& files, fs::path folder, const fs::path& name) {
  std::error_code fault;
  for (int level = 0; level < 4 && !folder.empty(); ++level) {
    const fs::path file = inherited(folder / name, ".json");
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    // Above the root of a data set nothing belongs to it.
    if (fs::exists(folder / "dataset_description.json", fault)) return folder;
    const std::string own = folder.filename().string();
    if (level > 0 && !own.starts_with("ses-") && !own.starts_with("sub-")) break;
    folder = folder.parent_path();
  }
  return {};
}

/// The sidecars that apply to a scan, the nearest first: those of the scan that a derivative (DATA SET/
/// derivatives/NAME) was made of last, whose name has fewer entities.
std::vector<fs::path> sidecarsOf(const fs::path& scan) {
  std::vector<fs::path> files;
  std::error_code fault;
  const fs::path folder = fs::absolute(scan, fault).lexically_normal().parent_path();
  const fs::path root = addSidecars(files, folder, scan.filename());
  if (!root.empty() && root.parent_path().filename() == "derivatives")
    addSidecars(files, root.parent_path().parent_path() / folder.lexically_relative(root), scan.filename());
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

/// Whether a value says something: words and null do not, nor does a time between volumes of nothing.
bool says(const std::string& key, const nlohmann::ordered_json& value) {
  return value.is_array() || (value.is_number() && (key != "RepetitionTime" || value.get<double>() > 0));
}

}  // namespace

ScanTiming timingIn(std::span<const fs::path> sidecars) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  bool isCorrected = false;  // the slices stand for one time
  for (const fs::path& file : sidecars) {
    const auto json = openCompanionJson(file).object;  // opening the scan reports its faults
    isCorrected = isCorrected || json.value("SliceTimingCorrected", nlohmann::ordered_json()) == true;
    for (const auto& [key, value] : json.items())
      if (!all.contains(key) && says(key, value)) all[key] = value;
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
  if (!isCorrected) timing.slices = numbersAt(all, "SliceTiming");
  return timing;
}

ScanTiming readScanTiming(const fs::path& scan) { return timingIn(sidecarsOf(scan)); }

}  // namespace sulcus::io
