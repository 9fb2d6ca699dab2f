#pragma once

#include "core/base/progress.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/sink.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sulcus::io {

/// Whether a file begins as a ZIP archive.
bool isZip(const std::filesystem::path& file);

/// A file in an archive, as the directory at the archive's end describes it.
struct ZipEntry {
  std::string name;  ///< as stored: arbitrary bytes
  std::uint16_t flags = 0, method = 0;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0, unpacked = 0, at = 0;
};

/// Reads ZIP archives of any size (PKWARE, APPNOTE.TXT) with stored or deflated files. Every failure is an
/// Error that names the archive.
class ZipArchive {
 public:
  /// Throws Error for an archive that is damaged, split, or has more than 100 000 files.
  explicit ZipArchive(const std::filesystem::path& file);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  /// Passes the bytes of an entry to `take` in pieces, until it returns false or the entry ends; then size
  /// and checksum are compared. Throws Error for encrypted and damaged entries.
  void read(const ZipEntry& entry, const std::function<bool(std::span<const char>)>& take) const;
  /// Reads all bytes of an entry, whose size must be that of `to`.
  void read(const ZipEntry& entry, std::span<char> to, const Progress& progress) const;
  /// Reads bytes from the middle of a stored entry; its checksum is not compared. Throws Error for an entry
  /// that is not stored.
  void readPart(const ZipEntry& entry, std::uint64_t at, std::span<char> to) const;
  static bool isStored(const ZipEntry& entry) { return entry.method == 0; }
  /// Throws Error unless the packed bytes can hold what the entry announces. Must be called before
  /// allocating.
  void requirePlausible(const ZipEntry& entry) const;
  [[noreturn]] void fail(const std::string& why) const;

 private:
  struct Directory {
    std::uint64_t count, length, begin;  ///< the number of files, bytes, position in the archive
  };

  std::string bytesAt(std::uint64_t at, std::uint64_t count) const;
  Directory findDirectory() const;
  Directory largeDirectory(std::uint64_t end) const;
  void readDirectory();
  std::uint64_t contentOf(const ZipEntry& entry) const;

  std::filesystem::path file_;
  DataFile data_;
  std::vector<ZipEntry> entries_;
};

/// Writes a ZIP archive of any size, with files stored uncompressed, one after the other.
class ZipWriter {
 public:
  /// Writes to the path `to`; errors name `file`, as those of Sink do.
  ZipWriter(const std::filesystem::path& to, const std::filesystem::path& file, const Progress& progress)
      : sink_(to, file, progress) {}

  /// Begins a file, which receives everything written until the next one begins.
  void begin(const std::string& name);
  void write(std::span<const char> bytes);
  /// Writes the directory. Must be called last.
  void close();

 private:
  void end();

  Sink sink_;
  std::vector<ZipEntry> entries_;
  bool open_ = false;
};

}  // namespace sulcus::io
