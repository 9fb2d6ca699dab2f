#pragma once

#include "core/base/progress.h"
#include "core/io/block_deflater.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace sulcus::io {

/// Writes a file from front to back. Every failure (a full disk, one that breaks) is an Error that names the
/// file; what was written then is no file yet.
class Sink {
 public:
  using Wrapper = BlockDeflater::Wrapper;

  /// Writes `to` anew (in a place of AtomicFile or StagedFiles); errors name `file`.
  Sink(const std::filesystem::path& to, const std::filesystem::path& file, const Progress& progress);
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// A megabyte at a time, so that cancelling takes effect at once; throws Cancelled.
  void write(std::span<const char> bytes);
  /// What is written from here on is compressed, on all threads, until the end or endDeflate().
  void deflateRest(Wrapper wrapper);
  void endDeflate();
  /// Bytes in the file.
  std::uint64_t written() const { return written_; }
  /// Puts `text` in place of as many bytes from `position` on.
  void replace(std::uint64_t position, std::string_view text);
  /// Whatever was not yet handed to the disk; to be called last.
  void close();

 private:
  void put(std::span<const char> bytes);

  std::filesystem::path file_;
  Progress progress_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
  std::optional<BlockDeflater> deflater_;
};

}  // namespace sulcus::io
