#include "core/base/platform/files/folder_entries.h"

#include <cerrno>
#include <memory>
#include <string_view>

#include <dirent.h>

namespace sulcus {
namespace fs = std::filesystem;

std::vector<fs::path> folderEntries(const fs::path& folder) {
  const auto fail = [&] {
    throw fs::filesystem_error("", folder, std::error_code(errno, std::generic_category()));
  };
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), &closedir);
  if (!open) fail();
  std::vector<fs::path> entries;
  while (true) {
    errno = 0;
    const dirent* const entry = readdir(open.get());
    if (!entry && errno != 0) fail();
    if (!entry) return entries;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back(folder / name);
  }
}

}  // namespace sulcus
