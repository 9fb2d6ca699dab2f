#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace sulcus::io {

// The gate: every path that a user, a flag or another file gives is opened by openData(), openText(),
// ByteSource or openJson() (file_json.h), which take ordinary files only. Every failure is an Error that
// names the file.

/// The bytes of a file as they lie on disk.
class DataFile {
 public:
  DataFile(DataFile&& other) noexcept;
  DataFile& operator=(DataFile&&) = delete;
  ~DataFile();

  std::uint64_t size() const { return size_; }  ///< when it was opened; at least 1
  /// Fills all of `to` from `position` on; throws Error when the file ends before.
  void read(std::uint64_t position, std::span<char> to) const;
  /// As many bytes as there are.
  std::size_t readSome(std::uint64_t position, std::span<char> to) const;
  /// Hands over the descriptor, to be closed by whoever takes it.
  int release();

 private:
  friend DataFile openData(const std::filesystem::path& file);
  DataFile(const std::filesystem::path& file, int descriptor) : file_(file), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Throws Error unless `file` is an ordinary, readable, not empty file: a device, pipe or socket is neither
/// read nor waited for. What was checked is what is opened.
DataFile openData(const std::filesystem::path& file);

/// Reads a file from front to back, decompressing on the way when it is gzip (by content, not by name).
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& file);  ///< by openData()
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
  [[noreturn]] void failCut() const;  ///< a compressed file without its end
  std::size_t readPlain(std::span<char> to);

  std::filesystem::path file_;
  void* stream_ = nullptr;  // gzFile, owned
  std::uint64_t fileSize_ = 0;
  std::uint64_t position_ = 0;
  bool compressed_ = false;
  std::unique_ptr<Inflater> inflater_;
};

/// Throws Error where openData() would.
void requireReadable(const std::filesystem::path& file);
/// Throws Error (unavailable) with both figures when `bytes` is more than the machine's memory.
void requireMemory(std::uint64_t bytes, const std::filesystem::path& file);
/// A whole text file of at most so many bytes (decompressed); throws Error when it holds zero bytes, as
/// binary files do.
std::string openText(const std::filesystem::path& file, std::uint64_t most = 16'000'000);

/// "'scan.nii.gz'": how messages name a file; printable(), long names shortened.
std::string quoted(const std::filesystem::path& file);
/// "'folder/scan.nii.gz'": where it matters where the file lies.
std::string quotedPath(const std::filesystem::path& file);
/// "3.2 GB"
std::string byteText(double bytes);

}  // namespace sulcus::io
