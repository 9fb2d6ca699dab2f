#pragma once

#include <filesystem>

namespace sulcus {

// Operations on paths. Functions that return an int return 0 or the error number.

/// Renames atomically; without `replace` only to a path where nothing exists yet.
int renameTo(const std::filesystem::path& from, const std::filesystem::path& to, bool replace);
/// Exchanges two files or folders atomically, if the file system supports it.
int exchangePlaces(const std::filesystem::path& one, const std::filesystem::path& other) noexcept;

/// Gives the folder `fresh` the owner and the permissions of `folder`. False if that fails or `folder` has
/// access control lists, which are not copied.
bool permitAs(const std::filesystem::path& fresh, const std::filesystem::path& folder) noexcept;
/// Whether this process may create files in the folder; 0 or the error number.
int writableFolder(const std::filesystem::path& folder) noexcept;
/// Whether an error number says that there is no room for a file: on the disk, in a quota, or since it is too
/// large.
bool isOutOfRoom(int code) noexcept;
/// The user's home folder, by the environment; empty if that does not say it.
std::filesystem::path homeFolder();
/// Whether the file exists and is executable.
bool isProgram(const std::filesystem::path& file) noexcept;

}  // namespace sulcus
