#pragma once

#include <cstdint>
#include <string>

namespace sulcus {

/// Limits memory, in bytes, and the time from now on, in seconds of processor time.
void limitTo(std::uint64_t memory, double seconds);

/// From here on the process may use what it has open, get memory and end, where the kernel can hold it to
/// that: a stream that takes the codec over cannot open a file, start a program or reach a network. What else
/// is asked of the kernel is refused. It writes no file and leaves no memory image behind.
void confine();

/// What a converter may use up.
struct ConverterLimits {
  std::uint64_t memory = 0;  ///< bytes
  double seconds = 0;        ///< of processor time
  std::uint64_t file = 0;    ///< bytes of each file that it writes
};

/// Becomes dcm2niix at `program`, which converts what lies in the folder `in` into the folder `out`. It keeps
/// standard output, and reads nothing but `in`, the files that the links in it lead to, and its own
/// libraries; it writes into `out` alone, and can neither start another program nor open a socket: Landlock
/// and a filter of system calls enforce that, each if the kernel supports it. Returns only if that fails:
/// the exit status.
///
/// @param merge  dcm2niix' own word for what to merge (-m)
int becomeConverter(const std::string& program, const std::string& in, const std::string& out,
                    const std::string& merge, const ConverterLimits& limits);

}  // namespace sulcus
