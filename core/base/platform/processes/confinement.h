#pragma once

#include <cstdint>
#include <string>

namespace sulcus {

/// Limits memory, in bytes, and processor time from now on, in seconds.
void limitTo(std::uint64_t memory, double seconds);

/// From now on the process may only use what it has open, allocate memory and exit, as far as the kernel can
/// enforce it: a stream of bytes that takes over the codec cannot open a file, start a program or reach a
/// network. All other system calls are refused. The process writes no files and leaves no core dump.
void confine();

/// Resource limits of a converter.
struct ConverterLimits {
  std::uint64_t memory = 0;  ///< bytes
  double seconds = 0;        ///< of processor time
  std::uint64_t file = 0;    ///< bytes of each file that it writes
};

/// Replaces this process by dcm2niix at `program`, which converts the contents of the folder `in` into the
/// folder `out`. It keeps standard output and reads nothing but `in`, the files that the links in it point
/// to, and its own libraries; it writes to `out` alone and can neither start another program nor open a
/// socket: Landlock and a filter of system calls enforce that, each if the kernel supports it. Returns only
/// on failure: the exit status.
int becomeConverter(const std::string& program, const std::string& in, const std::string& out,
                    const ConverterLimits& limits);

}  // namespace sulcus
