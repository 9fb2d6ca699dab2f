#pragma once

#include <filesystem>

namespace sulcus {

/// Their descriptors.
constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

/// Must be called first. Writing to a file beyond its size limit or to a reader that has gone then fails
/// instead of ending the program by a signal; and no file opened later gets the number of a closed standard
/// stream, whose text would end up in it.
void prepareStandardStreams();

bool isTerminal(int stream) noexcept;
/// Whether a stream that did not accept what was written is a pipe without a reader.
bool nobodyReads(int stream) noexcept;
/// From now on a standard stream of this process goes to a file, which is truncated. Returns 0 or the error
/// number.
int redirect(int stream, const std::filesystem::path& file) noexcept;

}  // namespace sulcus
