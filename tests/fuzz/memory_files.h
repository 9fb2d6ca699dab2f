#pragma once

#include <cstddef>
#include <filesystem>

// Files in memory for the inputs of a fuzz target: a parser that opens, queries and reads them by the calls
// of the C library is answered by memory_files.cpp, in less than a microsecond for each call. So an input
// costs only the time of the parser.
namespace sulcus::fuzz {

/// The folder whose files are in memory. It contains nothing else, and is not writable.
inline constexpr const char kMemoryFolder[] = "/fuzz-inputs";

/// Puts a file into the folder, or replaces it, and returns its path. The bytes are not copied: they must
/// remain until the file is replaced or read for the last time.
std::filesystem::path memoryFile(const char* name, const void* data, std::size_t size);

}  // namespace sulcus::fuzz
