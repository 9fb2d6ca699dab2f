#pragma once

#include <filesystem>

// Names given in a file, and links, may lead nowhere but into its folder.
namespace sulcus::io {

/// Whether a name refers to something in a folder or below it: relative, without "..".
bool isNameBelow(const std::filesystem::path& name);

/// Whether a path leads into a folder or below it, with links followed. A path that does not exist yet counts
/// by where it would be created.
bool leadsInto(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Throws Error if leadsInto() is false, since writing there would change a file outside.
void requireInto(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace sulcus::io
