#pragma once

#include <filesystem>
#include <vector>

namespace sulcus {

/// Paths of what is in a folder, in no order. Throws filesystem_error where it cannot be listed. Unlike the
/// iterators of the standard library, which end the program where memory runs out, it throws bad_alloc then.
std::vector<std::filesystem::path> folderEntries(const std::filesystem::path& folder);

/// folderEntries(), or none where the folder cannot be listed.
inline std::vector<std::filesystem::path> folderEntriesIfAny(const std::filesystem::path& folder) {
  try {
    return folderEntries(folder);
  } catch (const std::filesystem::filesystem_error&) {
    return {};
  }
}

}  // namespace sulcus
