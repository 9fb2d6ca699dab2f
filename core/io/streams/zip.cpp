#include "core/io/streams/zip.h"

#include "core/base/error.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/inflater.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

// The format as its maker describes it (PKWARE, APPNOTE.TXT).
constexpr std::uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30, kLongestComment = 65535;

/// A file in an archive.
struct Entry {
  std::uint16_t flags = 0, method = 0;
  std::uint32_t checksum = 0, packed = 0, unpacked = 0, at = 0;
};

class Archive {
 public:
  explicit Archive(const fs::path& file) : file_(file), in_(file, std::ios::binary) {
    in_.seekg(0, std::ios::end);
    size_ = std::uint64_t(in_.tellg());
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(quoted(file_) + " is a ZIP archive that cannot be read", why,
                "unpack it, and open what is in it");
  }

  std::string read(std::uint64_t at, std::uint64_t count) {
    if (at > size_ || count > size_ - at) fail("it is damaged or cut off");
    std::string bytes(count, '\0');
    in_.clear();
    in_.seekg(std::streamoff(at));
    in_.read(bytes.data(), std::streamsize(count));
    if (!in_) fail("it is damaged or cut off");
    return bytes;
  }

  std::vector<Entry> entries() {
    if (size_ < kEndBytes) fail("it is damaged or cut off");
    const std::uint64_t tail = std::min<std::uint64_t>(size_, kEndBytes + kLongestComment);
    const std::string bytes = read(size_ - tail, tail);
    std::size_t end = bytes.size() - kEndBytes;
    while (load<std::uint32_t>(bytes.data() + end, false) != kEnd)
      if (end-- == 0) fail("its directory is missing");
    const auto count = load<std::uint16_t>(bytes.data() + end + 10, false);
    const auto length = load<std::uint32_t>(bytes.data() + end + 12, false),
               begin = load<std::uint32_t>(bytes.data() + end + 16, false);
    if (count == 0xffff || begin == 0xffffffff) fail("it is in the form of large archives (ZIP64)");
    const std::string directory = read(begin, length);
    std::vector<Entry> all;
    for (std::size_t at = 0; all.size() < count;) {
      if (directory.size() - at < kEntryBytes || load<std::uint32_t>(directory.data() + at, false) != kEntry)
        fail("its directory is damaged");
      const char* const d = directory.data() + at;
      all.push_back({load<std::uint16_t>(d + 8, false), load<std::uint16_t>(d + 10, false),
                     load<std::uint32_t>(d + 16, false), load<std::uint32_t>(d + 20, false),
                     load<std::uint32_t>(d + 24, false), load<std::uint32_t>(d + 42, false)});
      const std::size_t more = std::size_t(load<std::uint16_t>(d + 28, false)) +
                               load<std::uint16_t>(d + 30, false) + load<std::uint16_t>(d + 32, false);
      if (more > directory.size() - at - kEntryBytes) fail("its directory is damaged");
      at += kEntryBytes + more;
    }
    return all;
  }

  /// Writes an entry to `to` if it is DICOM; whether it was.
  bool unpack(const Entry& entry, const fs::path& to) {
    if (entry.unpacked < kDicomStart || entry.packed == 0) return false;
    if (entry.flags & 1) fail("it is encrypted");
    if (entry.method != 0 && entry.method != 8) fail("it is packed in a way that is not known here");
    const std::string local = read(entry.at, kLocalBytes);
    if (load<std::uint32_t>(local.data(), false) != kLocal) fail("it is damaged");
    const std::uint64_t begin = entry.at + kLocalBytes + load<std::uint16_t>(local.data() + 26, false) +
                                load<std::uint16_t>(local.data() + 28, false);
    // A member of gzip is the same stream between other ends, and its reader compares the checksum.
    std::string member = entry.method == 8 ? std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) : "";
    member += read(begin, entry.packed);
    if (entry.method == 8)
      for (const std::uint32_t number : {entry.checksum, entry.unpacked})
        for (int byte = 0; byte < 4; ++byte) member += char(number >> (8 * byte));
    std::size_t given = 0;
    const auto pull = [&](std::span<char> bytes) {
      const std::size_t count = std::min(bytes.size(), member.size() - given);
      std::copy_n(member.begin() + std::ptrdiff_t(given), count, bytes.begin());
      given += count;
      return count;
    };
    Inflater inflater(pull, Inflater::After::nothing);
    const auto next = [&](std::span<char> bytes) {
      return entry.method == 8 ? inflater.readSome(bytes) : pull(bytes);
    };
    std::string part(1 << 16, '\0');
    std::uint64_t written = 0;
    std::ofstream out;
    try {
      for (std::size_t got; (got = next(part)) > 0;) {
        if (written == 0) {
          if (!startsAsDicom(std::string_view(part).substr(0, std::min(got, kDicomStart)))) return false;
          out.open(to, std::ios::binary);
        }
        written += got;
        if (written > entry.unpacked) fail("a file in it is larger than it says");
        out.write(part.data(), std::streamsize(got));
      }
    } catch (const InflateFault& fault) {
      fail(fault.what());
    }
    if (!out.flush())
      throw Error(quoted(file_) + " cannot be unpacked", "there is no room in the folder for temporary files",
                  "free some, or set TMPDIR to another folder", ErrorKind::unavailable);
    return true;
  }

 private:
  const fs::path& file_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

}  // namespace

bool isZip(const fs::path& file) {
  std::array<char, 4> start{};
  ByteSource source(file);
  return source.readSome(start) == start.size() && load<std::uint32_t>(start.data(), false) == kLocal;
}

std::vector<fs::path> unpackDicom(const fs::path& zip, const fs::path& folder, const Progress& progress) {
  Archive archive(zip);
  const std::vector<Entry> entries = archive.entries();
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.unpacked;
  if (bytes > fs::space(folder).available)
    throw Error(
        quoted(zip) + " cannot be unpacked",
        "it announces " + byteText(double(bytes)) + ", for which the folder for temporary files has no room",
        "free some, or set TMPDIR to another folder", ErrorKind::unavailable);
  std::vector<fs::path> files;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    progress.update(double(i) / double(entries.size()));
    const fs::path to = folder / (std::to_string(1'000'000 + i) + ".dcm");
    if (archive.unpack(entries[i], to)) files.push_back(to);
  }
  return files;
}

}  // namespace sulcus::io
