#pragma once

#include <filesystem>
#include <vector>

namespace sulcus {

/// Paths of the entries of a folder, in no particular order. Throws filesystem_error if it cannot be listed.
/// When memory runs out it throws bad_alloc, whereas the iterators of the standard library end the program.
std::vector<std::filesystem::path> folderEntries(const std::filesystem::path& folder);

/// folderEntries(), or none if the folder cannot be listed.
inline std::vector<std::filesystem::path> folderEntriesIfAny(const std::filesystem::path& folder) {
  try {
    return folderEntries(folder);
  } catch (const std::filesystem::filesystem_error&) {
    return {};
  }
}

}  // namespace sulcus
