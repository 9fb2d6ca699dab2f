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

// This is the gate for files: every path that a user, a flag or another file gives is opened by openData(),
// openText(), ByteSource or openJson() (file_json.h), which take ordinary files only. Every failure is an
// Error that names the file.

/// The bytes of a file as they are on the disk.
class DataFile {
 public:
  DataFile(DataFile&& other) noexcept;
  DataFile& operator=(DataFile&&) = delete;
  ~DataFile();

  std::uint64_t size() const { return size_; }  ///< bytes when it was opened, at least 1
  /// Reads all of `to` from byte `position` on; throws Error when the file ends before.
  void read(std::uint64_t position, std::span<char> to) const;
  /// Reads as many bytes of `to` as there are, and returns how many.
  std::size_t readSome(std::uint64_t position, std::span<char> to) const;
  /// Gives the descriptor to the caller, who closes it.
  int release();

 private:
  friend DataFile openData(const std::filesystem::path& file);
  DataFile(const std::filesystem::path& file, int descriptor) : file_(file), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Opens a file. Throws Error unless it is an ordinary, readable file that is not empty and whose content is
/// here, not only the key of git-annex that stands for it; a device, pipe or
/// socket is neither read nor waited for. The file is checked after it was opened, so that no other can take
/// its place.
DataFile openData(const std::filesystem::path& file);

/// Reads a file from front to back and decompresses it when its content, not its name, is gzip, bzip2 or
/// Zstandard.
class ByteSource {
 public:
  explicit ByteSource(const std::filesystem::path& file);  ///< opens by openData()
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads all of `to`; throws Error when the file ends before or is damaged.
  void read(std::span<char> to);
  /// Reads as many bytes of `to` as there are, and returns how many.
  std::size_t readSome(std::span<char> to);
  /// Goes on to byte `position`, or behind so many line ends; these may be far away in what a small file
  /// unpacks to, so that Progress is asked meanwhile. Throws Error when the file ends before.
  void skipTo(std::uint64_t position, const Progress& progress);
  void skipLines(std::int64_t count, const Progress& progress);
  /// Is called after the last byte that is wanted; returns whether more follow. When the stream ends there or
  /// within the next 64 kB, by which damage may have made it longer, gzip compares its checksum.
  bool finish();
  /// Says that the rest of the file is zlib or gzip data. From here on the decompressed bytes are read,
  /// position() counts them from 0, and the file ends with them.
  void inflateRest();
  /// Throws Error unless the file can hold so many bytes, decompressed, from its start. For a plain file its
  /// size decides, for gzip the largest ratio of deflate; the others know no such ratio. To be called before
  /// allocating what a header announces.
  void requireRoomFor(std::uint64_t bytes) const;
  /// requireRoomFor() for a file that contains compressed data, by the largest ratio of deflate.
  void requirePlausible(std::uint64_t bytes) const;
  std::uint64_t position() const { return position_; }
  /// The bytes of the file as it is on the disk.
  std::uint64_t storedSize() const { return data_.size(); }
  /// Whether the whole file is compressed.
  bool compressed() const { return ofFile_ != nullptr; }

 private:
  [[noreturn]] void failInflating(const InflateFault& fault) const;
  std::size_t readStored(std::span<char> to);  ///< the bytes of the file
  std::size_t readFile(std::span<char> to);    ///< decompressed when the file is compressed

  std::filesystem::path file_;
  DataFile data_;
  std::uint64_t next_ = 0;          ///< in the file, of what is not in the buffer yet
  std::unique_ptr<char[]> buffer_;  ///< of a file that is not compressed, for small reads
  std::span<const char> ready_;     ///< of the buffer
  std::uint64_t position_ = 0;
  Unpack ofFile_;        ///< empty when the file is not compressed
  bool isGzip_ = false;  ///< what ofFile_ decompresses
  std::unique_ptr<Inflater> ofRest_;
};

/// Throws Error for a link that leads nowhere, as git-annex and DataLad leave one for a file whose content
/// was not fetched; nothing for all other paths.
void requireFetched(const std::filesystem::path& file);
/// Throws Error where openData() would.
void requireReadable(const std::filesystem::path& file);
/// Throws Error of ErrorKind::unavailable with the sizes when `bytes` is more than the memory that is free,
/// and more than the disk has for what does not fit there (scratch_memory.h): a small compressed file can
/// announce anything, and a system without memory ends programs.
void requireMemory(std::uint64_t bytes, const std::filesystem::path& file);
/// requireMemory() for a file that messages call `name`.
void requireMemory(std::uint64_t bytes, const std::string& name);
/// The whole of a text file, with \n at the ends of lines whatever system it is from, without the mark of
/// UTF-8. Throws Error when it has more than `most` bytes, decompressed, or contains bytes
/// that are 0, as binary files do.
std::string openText(const std::filesystem::path& file, std::uint64_t most = 16'000'000);

/// The name of a file as messages give it, such as "'scan.nii.gz'": printable(), long names shortened.
std::string quoted(const std::filesystem::path& file);
/// The path of a file as messages give it where its folder matters, such as "'folder/scan.nii.gz'".
std::string quotedPath(const std::filesystem::path& file);
/// A size such as "3.2 GB".
std::string byteText(double bytes);

}  // namespace sulcus::io
