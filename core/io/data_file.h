#pragma once

#include <filesystem>
#include <string>

namespace sulcus::io {

/// The file that a header names for its numbers. Only ordinary files beside the header or in a folder below
/// it are taken, links followed: a header must not lead to any other file of the machine. Throws Error that
/// names `header` and `name`, or the file where it is there but cannot be read.
std::filesystem::path dataFileBeside(const std::filesystem::path& header, const std::string& name);

}  // namespace sulcus::io
