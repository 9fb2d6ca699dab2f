#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace sulcus::app::remote {

/// The other side, or the connection to it, is gone.
struct BrokenLine : std::exception {
  const char* what() const noexcept override { return "the connection is broken"; }
};

/// Communication between two programs through a pair of pipes: JSON objects, one per line, some of which are
/// followed by the bytes of a file. All functions throw BrokenLine if the other side is gone, and Cancelled
/// as soon as `stop` returns true.
class Wire {
 public:
  using Json = nlohmann::ordered_json;
  /// @param in, out descriptors, which stay open
  Wire(
      int in, int out, std::function<bool()> stop = [] { return false; });

  void send(const Json& message);
  void sendFile(const std::filesystem::path& file, std::uint64_t bytes, const Progress& progress);

  /// The next message. Lines that are not objects, such as those printed by a login shell, are skipped.
  Json receive();
  /// Receives the next `bytes` bytes into a new file.
  void receiveFile(const std::filesystem::path& file, std::uint64_t bytes, const Progress& progress);
  /// Waits at most this long for input; returns whether there is some, or the connection is broken.
  bool isWaiting(int milliseconds) const;

 private:
  void write(const char* bytes, std::size_t count);
  void fill();  ///< reads what is available into pending_

  int in_, out_;
  std::function<bool()> stop_;
  std::string pending_;  // read but not consumed yet
};

}  // namespace sulcus::app::remote
