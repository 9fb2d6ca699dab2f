#pragma once

#include <filesystem>
#include <string>

namespace sulcus::io {

/// The path of the file that a header names as the place of its numbers. After following links it must be a
/// regular file in the header's folder or below, since a header must not lead to any other file of the
/// machine. Throws Error that names `header` and `name`, or the file if it exists but cannot be read.
std::filesystem::path dataFileBeside(const std::filesystem::path& header, const std::string& name);

}  // namespace sulcus::io
