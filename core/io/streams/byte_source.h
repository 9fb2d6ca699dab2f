#pragma once

#include "core/base/progress.h"
#include "core/io/streams/inflater.h"
#include "core/io/streams/unpackers.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace sulcus::io {

// This is the gate for files: every path from a user, a flag or another file is opened by openData(),
// openText(), ByteSource or openJson() (file_json.h), which accept regular files only. Every failure is an
// Error that names the file.

/// The bytes of a file as stored on disk.
class DataFile {
 public:
  DataFile(DataFile&& other) noexcept;
  DataFile& operator=(DataFile&&) = delete;
  ~DataFile();

  std::uint64_t size() const { return size_; }  ///< bytes when opened, at least 1
  /// Reads all of `to` from byte `position` on; throws Error if the file ends before.
  void read(std::uint64_t position, std::span<char> to) const;
  /// Reads as many bytes of `to` as available and returns their number.
  std::size_t readSome(std::uint64_t position, std::span<char> to) const;
  /// Passes ownership of the descriptor to the caller.
  int release();

 private:
  friend DataFile openData(const std::filesystem::path& file);
  DataFile(const std::filesystem::path& file, int descriptor) : file_(file), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Opens a file. Throws Error unless it is a regular, readable, nonempty file whose content is present, not
/// just the key of git-annex that stands for it; a device, pipe or socket is neither read nor waited for. The
/// file is checked after opening, so that no other can take its place.
DataFile openData(const std::filesystem::path& file);

/// Reads a file sequentially and decompresses it if its content, regardless of its name, is gzip, bzip2 or
/// Zstandard.
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& file);  ///< opens the file by openData()
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads all of `to`; throws Error if the file ends before or is damaged.
  void read(std::span<char> to);
  /// Reads as many bytes of `to` as available and returns their number.
  std::size_t readSome(std::span<char> to);
  /// Skips to byte `position`, or past `count` line ends. These may be far away in what a small file
  /// decompresses to, so Progress is checked meanwhile. Throws Error if the file ends before.
  void skipTo(std::uint64_t position, const Progress& progress);
  void skipLines(std::int64_t count, const Progress& progress);
  /// Must be called after the last byte that is wanted; returns whether more follow. If the stream ends there
  /// or within the next 64 kB, by which damage may have lengthened it, the checksum of gzip is compared.
  bool finish();
  /// Declares that the rest of the file is zlib or gzip data. From here on decompressed bytes are read,
  /// position() counts them from 0, and the file ends with them.
  void inflateRest();
  /// Throws Error unless the file can hold `bytes` decompressed bytes from its start. For a plain file its
  /// size decides, for gzip the largest ratio of deflate; the other formats have no known limit. Must be
  /// called before allocating what a header announces.
  void requireRoomFor(std::uint64_t bytes) const;
  /// requireRoomFor() for a file that contains compressed data, by the largest ratio of deflate.
  void requirePlausible(std::uint64_t bytes) const;
  std::uint64_t position() const { return position_; }
  /// The size of the file on disk, bytes.
  std::uint64_t storedSize() const { return data_.size(); }
  /// Whether the whole file is compressed.
  bool compressed() const { return ofFile_ != nullptr; }

 private:
  [[noreturn]] void failInflating(const InflateFault& fault) const;
  std::size_t readStored(std::span<char> to);  ///< reads the bytes of the file
  std::size_t readFile(std::span<char> to);    ///< reads decompressed bytes if the file is compressed

  std::filesystem::path file_;
  DataFile data_;
  std::uint64_t next_ = 0;          ///< position in the file of what is not in the buffer yet
  std::unique_ptr<char[]> buffer_;  ///< for small reads from an uncompressed file
  std::span<const char> ready_;     ///< unread part of the buffer
  std::uint64_t position_ = 0;
  Unpack ofFile_;        ///< empty if the file is not compressed
  bool isGzip_ = false;  ///< whether ofFile_ decompresses gzip
  std::unique_ptr<Inflater> ofRest_;
};

/// Throws Error for a dangling link, as git-annex and DataLad leave for a file whose content was not fetched;
/// does nothing for all other paths.
void requireFetched(const std::filesystem::path& file);
/// Throws Error if openData() would.
void requireReadable(const std::filesystem::path& file);
/// Throws Error of ErrorKind::unavailable with the sizes if `bytes` exceeds both the free memory and what the
/// disk offers in its place (scratch_memory.h): a small compressed file can announce anything, and a system
/// without memory kills programs.
void requireMemory(std::uint64_t bytes, const std::filesystem::path& file);
/// Throws that Error for a file that messages call `name`.
void requireMemory(std::uint64_t bytes, const std::string& name);
/// The whole of a text file, with \n as line end whatever system it is from, and without a byte-order mark.
/// Throws Error if it has more than `most` bytes, decompressed, or contains zero bytes, as binary files do.
std::string openText(const std::filesystem::path& file, std::uint64_t most = 16'000'000);

/// The name of a file for messages, such as "'scan.nii.gz'": sanitizedForDisplay(), long names shortened.
std::string quoted(const std::filesystem::path& file);
/// The path of a file for messages where its folder matters, such as "'folder/scan.nii.gz'".
std::string quotedPath(const std::filesystem::path& file);
/// A size such as "3.2 GB".
std::string byteText(double bytes);

}  // namespace sulcus::io
