#include "core/io/companions.h"

#include "core/base/platform/files/folder_entries.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/tracts/tract_files.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool startsWith(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

/// Adds the sidecars in a folder and above it that apply to a scan of this name, nearest first. Returns the
/// root of the data set; "" if there is none.
fs::path addSidecars(std::vector<fs::path>& files, fs::path folder, const fs::path& name) {
  std::error_code fault;
  for (int level = 0; level < 4 && !folder.empty(); ++level) {
    const fs::path file = inherited(folder / name, ".json");
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    // Files above the root of a data set do not belong to it.
    if (fs::exists(folder / "dataset_description.json", fault)) return folder;
    const std::string own = folder.filename().string();
    if (level > 0 && !own.starts_with("ses-") && !own.starts_with("sub-")) break;
    folder = folder.parent_path();
  }
  return {};
}

}  // namespace

fs::path withoutPacking(const fs::path& file) {
  const fs::path extension = file.extension();
  const bool packed = extension == ".gz" || extension == ".bz2" || extension == ".zst";
  return packed ? file.parent_path() / file.stem() : file;
}

std::string stemOf(const fs::path& scan) {
  fs::path name = withoutPacking(scan).filename();
  const bool gifti = name.extension() == ".gii";
  name = name.stem();
  const std::string kind = name.extension().string();
  if (gifti && (kind == ".surf" || kind == ".shape" || kind == ".func" || kind == ".label"))
    name = name.stem();
  return name.string();
}

fs::path beside(const fs::path& scan, const std::string& extension) {
  return scan.parent_path() / (stemOf(scan) + extension);
}

fs::path sidecarOf(const fs::path& file) {
  return meshFormatToWrite(file) || tractFormatToWrite(file) ? fs::path(file).concat(".json")
                                                             : beside(file, ".json");
}

fs::path inherited(const fs::path& scan, const std::string& extension, const std::string& suffix) {
  std::error_code fault;
  if (const fs::path own = beside(scan, extension); suffix.empty() && fs::is_regular_file(own, fault))
    return own;
  const auto scanParts = split(stemOf(scan), '_');
  if (scanParts.size() < 2 || !startsWith(scanParts[0], "sub-")) return {};
  const std::string wanted = suffix.empty() ? scanParts.back() : suffix;
  const std::set<std::string> entities(scanParts.begin(), scanParts.end() - 1);
  fs::path folder = fs::absolute(scan, fault).parent_path();
  // A path like dataset/sub-X/ses-Y/dwi has at most four folders of the data set.
  for (int level = 0; level < 4 && !folder.empty(); ++level) {
    fs::path best;
    std::size_t mostParts = 0;
    for (const fs::path& file : folderEntriesIfAny(folder)) {
      if (file.extension() != extension) continue;
      const auto parts = split(file.stem().string(), '_');
      if (parts.empty() || parts.back() != wanted || parts.size() <= mostParts) continue;
      if (!std::all_of(parts.begin(), parts.end() - 1,
                       [&](const auto& part) { return entities.count(part) > 0; }))
        continue;
      best = file;
      mostParts = parts.size();
    }
    if (!best.empty()) return best;
    const std::string name = folder.filename().string();
    const bool root = fs::exists(folder / "dataset_description.json", fault) ||
                      (level > 0 && !startsWith(name, "ses-") && !startsWith(name, "sub-"));
    if (root) return {};
    folder = folder.parent_path();
  }
  return {};
}

std::vector<fs::path> sidecarsOf(const fs::path& scan) {
  std::vector<fs::path> files;
  std::error_code fault;
  const fs::path folder = fs::absolute(scan, fault).lexically_normal().parent_path();
  const fs::path root = addSidecars(files, folder, scan.filename());
  if (!root.empty() && root.parent_path().filename() == "derivatives")
    addSidecars(files, root.parent_path().parent_path() / folder.lexically_relative(root), scan.filename());
  return files;
}

}  // namespace sulcus::io
