#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace sulcus::app::remote {

/// The other side has gone, or the line to it.
struct BrokenLine : std::exception {
  const char* what() const noexcept override { return "the line is broken"; }
};

/// What two programs say to each other through a pair of pipes: JSON objects, one a line, some of which are
/// followed by the bytes of a file. Everything throws BrokenLine when the other side has gone, and Cancelled
/// as soon as `stop` says so.
class Wire {
 public:
  using Json = nlohmann::ordered_json;
  /// @param in, out  descriptors, which stay open
  Wire(
      int in, int out, std::function<bool()> stop = [] { return false; });

  void send(const Json& message);
  void sendFile(const std::filesystem::path& file, std::uint64_t bytes, const Progress& progress);

  /// The next message. Lines that are no objects, as a login shell may print them, are passed over.
  Json receive();
  /// The next `bytes`, as a new file.
  void receiveFile(const std::filesystem::path& file, std::uint64_t bytes, const Progress& progress);
  /// Waits so long for something to be received; whether there is something, or the line is broken.
  bool isWaiting(int milliseconds) const;

 private:
  void write(const char* bytes, std::size_t count);
  void fill();  ///< takes what there is into pending_

  int in_, out_;
  std::function<bool()> stop_;
  std::string pending_;  // was read and not taken yet
};

}  // namespace sulcus::app::remote
