#pragma once

#include "core/base/progress.h"
#include "core/io/streams/block_deflater.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace sulcus::io {

/// Writes a file sequentially. Every failure, such as a full disk, is an Error that names the file.
class Sink {
 public:
  using Wrapper = BlockDeflater::Wrapper;

  /// Creates or truncates `to`, a path from AtomicFile or StagedFiles. Errors name `file`.
  Sink(const std::filesystem::path& to, const std::filesystem::path& file, const Progress& progress);
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Writes a megabyte at a time, for prompt cancelling; throws Cancelled.
  void write(std::span<const char> bytes);
  /// Compresses everything written from here on, on all threads, until endDeflate() or the end.
  void deflateRest(Wrapper wrapper);
  void endDeflate();
  /// Number of bytes in the file.
  std::uint64_t written() const { return written_; }
  /// Overwrites as many bytes as `text` has, starting at `position`.
  void replace(std::uint64_t position, std::string_view text);
  /// Writes what is left and closes the file. Must be called last.
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
