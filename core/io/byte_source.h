#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace sulcus::io {

/// Reads a file from front to back, decompressing on the way when it is gzip (by content, not by name).
/// Every failure is an Error that names the file.
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& file);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills all of `to`; throws Error when the file ends before or is damaged.
  void read(std::span<char> to);
  /// As many bytes as there are, up to the size of `to`.
  std::size_t readSome(std::span<char> to);
  void skipTo(std::uint64_t position);
  /// After the last byte wanted: lets gzip compare its checksum, where the stream ends here.
  void finish();
  /// From here on the file holds zlib or gzip data: what they stand for is handed out instead, and position()
  /// counts it from 0. Beyond their end there is nothing.
  void inflateRest();
  /// Throws Error unless the file can hold `bytes` bytes (decompressed) from its start: known exactly for a
  /// plain file, by the largest ratio of deflate for gzip. Call before allocating what a header announces.
  void requireRoomFor(std::uint64_t bytes) const;
  /// The same for a file that holds compressed data inside: by the largest ratio of deflate.
  void requirePlausible(std::uint64_t bytes) const;
  std::uint64_t position() const { return position_; }
  /// Whether the whole file is gzip.
  bool compressed() const { return compressed_; }

 private:
  class Inflater;
  [[noreturn]] void failDamaged() const;
  std::size_t readPlain(std::span<char> to);

  std::filesystem::path file_;
  void* stream_ = nullptr;  // gzFile, owned
  std::uint64_t fileSize_ = 0;
  std::uint64_t position_ = 0;
  bool compressed_ = false;
  std::unique_ptr<Inflater> inflater_;
};

/// Throws Error unless `file` is a readable, not empty, regular file.
void requireReadable(const std::filesystem::path& file);
/// Throws Error (unavailable) with both figures when `bytes` is more than the machine's memory.
void requireMemory(std::uint64_t bytes, const std::filesystem::path& file);
/// A whole text file of at most so many bytes (decompressed); throws Error when it holds zero bytes, as
/// binary files do.
std::string readTextFile(const std::filesystem::path& file, std::uint64_t most = 16'000'000);

/// "'scan.nii.gz'": how messages name a file.
std::string quoted(const std::filesystem::path& file);
/// "3.2 GB"
std::string byteText(double bytes);

}  // namespace sulcus::io
