#pragma once

#include <filesystem>
#include <string_view>

namespace sulcus::io {

/// Throws Error for a file that begins with `start` (its first bytes, some hundred) and is known to be of a
/// kind that Sulcus does not read: names the kind, and the program that makes of it what Sulcus does read.
void refuseOtherFormat(const std::filesystem::path& file, std::string_view start);

}  // namespace sulcus::io
