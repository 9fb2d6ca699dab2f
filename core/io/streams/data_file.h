#pragma once

#include <filesystem>
#include <string>

namespace sulcus::io {

/// The path of the file that a header names for its numbers. After following links it must be an ordinary
/// file in the header's folder or below, since a header must not lead to any other file of the machine.
/// Throws Error that names `header` and `name`, or the file when it exists but cannot be read.
std::filesystem::path dataFileBeside(const std::filesystem::path& header, const std::string& name);

}  // namespace sulcus::io
