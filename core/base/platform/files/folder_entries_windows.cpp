#include "core/base/platform/files/folder_entries.h"

namespace sulcus {
namespace fs = std::filesystem;

std::vector<fs::path> folderEntries(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  return entries;
}

}  // namespace sulcus
