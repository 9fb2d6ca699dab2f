#include "core/base/platform/files/folder_entries.h"
#include "core/io/companions.h"
#include "core/io/files.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// The files in the scan's folder, sorted by name so that the choice does not depend on the file system.
std::vector<fs::path> folderOf(const fs::path& scan) {
  std::vector<fs::path> files;
  std::error_code fault;
  const fs::path folder = fs::absolute(scan, fault).parent_path();
  for (fs::path& file : folderEntriesIfAny(folder))
    if (fs::is_regular_file(file, fault)) files.push_back(std::move(file));
  std::sort(files.begin(), files.end());
  return files;
}

/// The design.mat next to the scan, or else the NAME_design.mat with the longest NAME for which the scan's
/// name begins with NAME_.
fs::path designBeside(const fs::path& scan, const std::vector<fs::path>& files) {
  const std::string stem = stemOf(scan);
  fs::path best;
  std::size_t longest = 0;
  for (const char* extension : {".mat", ".tsv", ".csv"})
    for (const auto& file : files) {
      if (file.extension() != extension) continue;
      const std::string name = file.stem().string();
      if (name == "design" && best.empty()) best = file;
      if (!name.ends_with("_design")) continue;
      const std::string prefix = name.substr(0, name.size() - 6);  // including its _
      if (stem.starts_with(prefix) && prefix.size() > longest) best = file, longest = prefix.size();
    }
  return best;
}

/// fMRIPrep's …_desc-confounds_timeseries.tsv without entities that the scan lacks, other than desc.
fs::path confoundsBeside(const fs::path& scan, const std::vector<fs::path>& files) {
  const auto partsOf = [](const std::string& stem) {
    std::vector<std::string> parts;
    std::istringstream stream(stem);
    for (std::string part; std::getline(stream, part, '_');) parts.push_back(part);
    return parts;
  };
  const auto scanParts = partsOf(stemOf(scan));
  const std::set<std::string> entities(scanParts.begin(), scanParts.end());
  if (scanParts.empty() || !scanParts[0].starts_with("sub-")) return {};
  for (const auto& file : files) {
    const auto parts = partsOf(file.stem().string());
    if (file.extension() != ".tsv" || parts.size() < 3) continue;
    if (parts.back() != "timeseries" && parts.back() != "regressors") continue;
    if (parts[parts.size() - 2] != "desc-confounds") continue;
    if (std::all_of(parts.begin(), parts.end() - 2,
                    [&](const auto& part) { return entities.count(part) > 0; }))
      return file;
  }
  return {};
}

}  // namespace

TablesBeside findTablesBeside(const fs::path& scan) {
  const auto files = folderOf(scan);
  return {designBeside(scan, files), inherited(scan, ".tsv", "events"), confoundsBeside(scan, files)};
}

}  // namespace sulcus::io
