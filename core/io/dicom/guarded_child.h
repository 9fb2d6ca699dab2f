#pragma once

#include "core/base/progress.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sulcus::io {

/// The program sulcus-dicom, in which libraries read what only they can read. It has limits on memory and
/// time and opens no file: whatever damaged data does to the libraries ends with that process. Requests and
/// answers pass through a socket. With arguments it becomes a converter, which has similar limits and reports
/// its progress through the socket. It is ended with this object.
class GuardedChild {
 public:
  using Clock = std::chrono::steady_clock;
  /// Thrown if it has ended or gives no valid answer.
  struct Lost {};
  /// Thrown if a deadline has passed.
  struct Late {};

  /// @param program  instead of the sulcus-dicom next to this program
  explicit GuardedChild(std::filesystem::path program = {}) : program_(std::move(program)) {}
  ~GuardedChild() { end(); }
  GuardedChild(const GuardedChild&) = delete;
  GuardedChild& operator=(const GuardedChild&) = delete;

  /// Starts it unless it is running. Throws Error "WHAT cannot be decoded" if it is missing.
  void start(const std::string& what, const std::vector<std::string>& arguments = {});
  void end();
  /// Send and receive all of `bytes`. Throw Lost, Late, and Cancelled within a twentieth of a second.
  void give(std::span<const char> bytes, Clock::time_point deadline, const Progress& progress) const;
  void take(std::span<char> bytes, Clock::time_point deadline, const Progress& progress) const;

  /// Receives its output until it ends by itself and returns the first `most` bytes; calls `look` every
  /// twentieth of a second meanwhile. Throws Lost if it was killed by a signal, Late and Cancelled.
  std::string takeAll(std::size_t most, Clock::time_point deadline, const Progress& progress,
                      const std::function<void()>& look);

  static Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

 private:
  std::filesystem::path program_;
  int process_ = 0;
  int channel_ = -1;
};

/// The bytes of a plain struct.
template <class T>
std::span<char> plainBytes(T& value) {
  return {reinterpret_cast<char*>(&value), sizeof value};
}

}  // namespace sulcus::io
