#include "core/io/companions.h"

#include "core/base/platform/files/folder_entries.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/tracts/tract_files.h"
#include "core/io/volumes/header_text.h"

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

/// Calls visit(folder) for a folder and those above it that belong to the same data set, of a path like
/// dataset/sub-X/ses-Y/dwi at most four, until it returns true. Returns the root of the data set if that was
/// visited, otherwise "".
template <class Visit>
fs::path climb(fs::path folder, const Visit& visit) {
  std::error_code fault;
  for (int level = 0; level < 4 && !folder.empty() && !visit(folder); ++level) {
    if (fs::exists(folder / "dataset_description.json", fault)) return folder;
    const std::string name = folder.filename().string();
    if (level > 0 && !name.starts_with("ses-") && !name.starts_with("sub-")) break;
    folder = folder.parent_path();
  }
  return {};
}

/// Adds the sidecars in a folder and above it that apply to a scan of this name, nearest first. Returns the
/// root of the data set; "" if there is none.
fs::path addSidecars(std::vector<fs::path>& files, const fs::path& lowest, const fs::path& name) {
  return climb(lowest, [&](const fs::path& folder) {
    const fs::path file = inherited(folder / name, ".json");
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    return false;
  });
}

/// The file of a folder whose name ends in `suffix` and has only entities of the scan, as many as possible;
/// "" if there is none.
fs::path mostSpecific(const fs::path& folder, const std::string& extension, const std::string& suffix,
                      const std::set<std::string>& entities) {
  fs::path best;
  std::size_t mostParts = 0;
  for (const fs::path& file : folderEntriesIfAny(folder)) {
    if (file.extension() != extension) continue;
    const auto parts = split(file.stem().string(), '_');
    if (parts.empty() || parts.back() != suffix || parts.size() <= mostParts) continue;
    if (!std::all_of(parts.begin(), parts.end() - 1,
                     [&](const auto& part) { return entities.contains(part); }))
      continue;
    best = file;
    mostParts = parts.size();
  }
  return best;
}

}  // namespace

fs::path withoutPacking(const fs::path& file) {
  const fs::path extension = file.extension();
  const bool packed = extension == ".gz" || extension == ".bz2" || extension == ".zst";
  return packed ? file.parent_path() / file.stem() : file;
}

std::string formatExtension(const fs::path& file) {
  return lowered(withoutPacking(file).extension().string());
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
  if (scanParts.size() < 2 || !scanParts[0].starts_with("sub-")) return {};
  const std::string wanted = suffix.empty() ? scanParts.back() : suffix;
  const std::set<std::string> entities(scanParts.begin(), scanParts.end() - 1);
  fs::path best;
  climb(fs::absolute(scan, fault).parent_path(), [&](const fs::path& folder) {
    best = mostSpecific(folder, extension, wanted, entities);
    return !best.empty();
  });
  return best;
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
