#pragma once

#include <filesystem>
#include <string_view>

namespace sulcus::io {

/// Throws Error for a file that begins with `start` (its first few hundred bytes) and is of a known kind that
/// Sulcus does not read: names the kind, and the program that converts it to something that Sulcus reads.
void refuseOtherFormat(const std::filesystem::path& file, std::string_view start);

}  // namespace sulcus::io
