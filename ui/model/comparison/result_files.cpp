#include "ui/model/comparison/result_files.h"

#include "core/base/name_pattern.h"
#include "core/base/platform/files/folder_entries.h"
#include "core/io/companions.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

namespace sulcus::ui::model {
namespace {

namespace fs = std::filesystem;

bool holdsRun(const fs::path& folder) {
  std::error_code fault;
  return !folder.empty() && fs::is_regular_file(folder / "provenance.json", fault);
}

/// The rank of a result among those that the analyses name, the first one first.
std::size_t rankOf(const std::string& stem, const std::vector<Analysis>& analyses) {
  std::size_t best = std::string::npos;
  for (const Analysis& analysis : analyses)
    for (std::size_t i = 0; i < analysis.outputs.size(); ++i)
      if (matchesPattern(withoutFolder(analysis.outputs[i]), stem)) {
        best = std::min(best, i);
        break;
      }
  return best;
}

}  // namespace

std::vector<OpenedResult> openedResults(const LayerStack& layers, const std::vector<Analysis>& analyses) {
  std::map<fs::path, std::vector<std::pair<std::size_t, LayerId>>> found;
  for (const LayerState& state : layers.layers()) {
    const fs::path file = state.layer->source;
    if (state.origin == Origin::given && !file.empty())
      found[file.parent_path()].emplace_back(rankOf(io::stemOf(file), analyses), state.id);
  }
  std::vector<OpenedResult> results;
  for (auto& [folder, ranked] : found) {
    if (ranked.size() < 2 || !holdsRun(folder)) continue;
    std::ranges::sort(ranked);
    results.push_back({folder.string(), {}});
    for (const auto& [rank, id] : ranked) results.back().layers.push_back(id);
  }
  return results;
}

QStringList filesOfRun(const QString& folder) {
  const fs::path path = folder.toStdString();
  QStringList files;
  if (!holdsRun(path)) return files;
  std::error_code fault;
  for (const fs::path& entry : folderEntriesIfAny(path))
    if (entry.extension() != ".json" && fs::is_regular_file(entry, fault) &&
        fs::is_regular_file(io::sidecarOf(entry), fault))
      files << QString::fromStdString(entry.string());
  files.sort();
  return files;
}

}  // namespace sulcus::ui::model
