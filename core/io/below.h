#pragma once

#include <filesystem>

// Names that a file gives, and links, lead nowhere but into its folder.
namespace sulcus::io {

/// Whether a name is that of something in a folder or below it: relative, without "..".
bool isNameBelow(const std::filesystem::path& name);

/// Whether a path leads into a folder or below it, links followed. What is not there counts where it would be
/// made.
bool leadsInto(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Throws Error where leadsInto() is false: writing there would change a file outside.
void requireInto(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace sulcus::io
