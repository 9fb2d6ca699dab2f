#pragma once

#include <cstddef>
#include <filesystem>

// Files for the inputs of a fuzz target that no system knows of: a parser that opens, asks for and reads them
// by the calls of the C library gets its answers from memory_files.cpp, which takes less than a microsecond
// for each. So an input costs what the parser costs.
namespace sulcus::fuzz {

/// The folder whose files are in memory. Nothing else is in it, and nothing can be written into it.
inline constexpr const char kMemoryFolder[] = "/fuzz-inputs";

/// Puts a file into the folder, or replaces it, and returns its path. The bytes are not copied: they have to
/// stay until the file is replaced or read for the last time.
std::filesystem::path memoryFile(const char* name, const void* data, std::size_t size);

}  // namespace sulcus::fuzz
