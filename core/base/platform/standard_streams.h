#pragma once

#include <filesystem>

namespace sulcus {

/// Their descriptors.
constexpr int kStandardInput = 0, kStandardOutput = 1, kStandardError = 2;

/// To be called first. A file that grows beyond its limit and a reader that went away are errors where
/// something is written, not signals that end the program; and no file opened later takes the number of a
/// standard stream that was closed, whose text would end up in it.
void prepareStandardStreams();

bool isTerminal(int stream) noexcept;
/// Whether a stream is a pipe that nobody reads any more.
bool nobodyReads(int stream) noexcept;
/// From now on a standard stream of this process goes into a file, which is emptied. 0, or the number of the
/// error.
int redirect(int stream, const std::filesystem::path& file) noexcept;

}  // namespace sulcus
