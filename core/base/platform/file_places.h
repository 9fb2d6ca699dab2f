#pragma once

#include <filesystem>

namespace sulcus {

// Where files lie. What returns an int returns 0 or the number of the error.

/// Renames by one step; without `replace` only to a path where there is nothing yet.
int renameTo(const std::filesystem::path& from, const std::filesystem::path& to, bool replace);
/// Two files or folders change places by one step, where the file system can.
int exchangePlaces(const std::filesystem::path& one, const std::filesystem::path& other) noexcept;

/// Gives the folder `fresh` the owner and the permissions of `folder`. False when that fails or `folder` has
/// access control lists, which are not copied.
bool permitAs(const std::filesystem::path& fresh, const std::filesystem::path& folder) noexcept;
/// Whether this process may make files in the folder.
int writableFolder(const std::filesystem::path& folder) noexcept;
/// Whether a file is there that can be started.
bool isProgram(const std::filesystem::path& file) noexcept;

}  // namespace sulcus
