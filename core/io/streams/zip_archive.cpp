#include "core/io/streams/zip_archive.h"

#include "core/base/error.h"
#include "core/io/streams/inflater.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <isa-l/crc.h>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kLocalMark = 0x04034b50, kEntryMark = 0x02014b50, kEndMark = 0x06054b50,
                        kLargeEndMark = 0x06064b50, kLargePlaceMark = 0x07064b50;
constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30, kLargeEndBytes = 56,
                      kLargePlaceBytes = 20, kLongestComment = 65535;
constexpr std::uint64_t kMostEntries = 100'000, kLargestDirectory = 256'000'000;  // bytes
constexpr std::uint64_t kLargestRatio = 1032;                                     // of deflate
constexpr std::uint32_t kIsLarge = 0xffffffff;   // stands for a 64-bit number in an extra field
constexpr std::uint16_t kLargeField = 1;         // the tag of that field
constexpr std::uint16_t kPaddingField = 0xd935;  // tag of a padding field, ignored by all readers
constexpr std::size_t kLargeFieldBytes = 16, kPiece = std::size_t(4) << 20;
constexpr std::uint16_t kStored = 0, kDeflated = 8, kEncrypted = 1, kUtf8 = 1 << 11;

template <class T>
T number(const char* bytes) {
  return load<T>(bytes, false);
}

/// Appends numbers of these types, lowest byte first.
template <class... T>
void append(std::string& text, T... values) {
  const auto add = [&](auto value) {
    for (std::size_t byte = 0; byte < sizeof value; ++byte) text += char(std::uint64_t(value) >> (8 * byte));
  };
  (add(values), ...);
}

std::uint32_t checksumOf(std::uint32_t before, std::span<const char> bytes) {
  return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

/// Replaces the placeholders by the 64-bit numbers. False if these are missing.
bool takeLargeNumbers(std::string_view extra, ZipEntry& entry) {
  const std::array<std::uint64_t*, 3> numbers{&entry.unpacked, &entry.packed, &entry.at};
  while (extra.size() >= 4) {
    const auto id = number<std::uint16_t>(extra.data()), length = number<std::uint16_t>(extra.data() + 2);
    extra.remove_prefix(4);
    if (length > extra.size()) break;
    std::string_view field = extra.substr(0, length);
    extra.remove_prefix(length);
    if (id != kLargeField) continue;
    for (std::uint64_t* const each : numbers) {
      if (*each != kIsLarge) continue;
      if (field.size() < 8) return false;
      *each = number<std::uint64_t>(field.data());
      field.remove_prefix(8);
    }
    return true;
  }
  return std::ranges::none_of(numbers, [](const std::uint64_t* each) { return *each == kIsLarge; });
}

}  // namespace

bool isZip(const fs::path& file) {
  std::array<char, 4> start{};
  const DataFile data = openData(file);
  return data.readSome(0, start) == start.size() && number<std::uint32_t>(start.data()) == kLocalMark;
}

ZipArchive::ZipArchive(const fs::path& file) : file_(file), data_(openData(file)) { readDirectory(); }

void ZipArchive::fail(const std::string& why) const {
  throw Error(quoted(file_) + " is a ZIP archive that cannot be read", why,
              "copy or download it again, or unpack it and open what is in it");
}

std::string ZipArchive::bytesAt(std::uint64_t at, std::uint64_t count) const {
  if (at > data_.size() || count > data_.size() - at) fail("it is damaged or cut off");
  std::string bytes(std::size_t(count), '\0');
  data_.read(at, bytes);
  return bytes;
}

/// The directory of an archive of more than 4 GiB or 65 535 files (ZIP64), whose end is at `end`.
ZipArchive::Directory ZipArchive::largeDirectory(std::uint64_t end) const {
  if (end < kLargePlaceBytes) fail("its directory is missing");
  const std::string place = bytesAt(end - kLargePlaceBytes, kLargePlaceBytes);
  if (number<std::uint32_t>(place.data()) != kLargePlaceMark) fail("its directory is missing");
  const std::string large = bytesAt(number<std::uint64_t>(place.data() + 8), kLargeEndBytes);
  if (number<std::uint32_t>(large.data()) != kLargeEndMark) fail("its directory is damaged");
  return {number<std::uint64_t>(large.data() + 32), number<std::uint64_t>(large.data() + 40),
          number<std::uint64_t>(large.data() + 48)};
}

ZipArchive::Directory ZipArchive::findDirectory() const {
  if (data_.size() < kEndBytes) fail("it is damaged or cut off");
  const std::uint64_t tail = std::min<std::uint64_t>(data_.size(), kEndBytes + kLongestComment);
  const std::string bytes = bytesAt(data_.size() - tail, tail);
  std::size_t end = bytes.size() - kEndBytes;
  while (number<std::uint32_t>(bytes.data() + end) != kEndMark)
    if (end-- == 0) fail("its directory is missing");
  const Directory found{number<std::uint16_t>(bytes.data() + end + 10),
                        number<std::uint32_t>(bytes.data() + end + 12),
                        number<std::uint32_t>(bytes.data() + end + 16)};
  const bool isLarge = found.count == 0xffff || found.length == kIsLarge || found.begin == kIsLarge;
  return isLarge ? largeDirectory(data_.size() - tail + end) : found;
}

void ZipArchive::readDirectory() {
  const auto [count, length, begin] = findDirectory();
  if (count > kMostEntries) fail("it declares " + std::to_string(count) + " files, and 100000 are read");
  if (length > kLargestDirectory) fail("its directory is damaged");
  const std::string directory = bytesAt(begin, length);
  for (std::size_t at = 0; entries_.size() < count;) {
    if (directory.size() - at < kEntryBytes || number<std::uint32_t>(directory.data() + at) != kEntryMark)
      fail("its directory is damaged");
    const char* const d = directory.data() + at;
    const std::size_t name = number<std::uint16_t>(d + 28), extra = number<std::uint16_t>(d + 30),
                      comment = number<std::uint16_t>(d + 32);
    if (name + extra + comment > directory.size() - at - kEntryBytes) fail("its directory is damaged");
    ZipEntry entry{std::string(d + kEntryBytes, name), number<std::uint16_t>(d + 8),
                   number<std::uint16_t>(d + 10),      number<std::uint32_t>(d + 16),
                   number<std::uint32_t>(d + 20),      number<std::uint32_t>(d + 24),
                   number<std::uint32_t>(d + 42)};
    if (!takeLargeNumbers({d + kEntryBytes + name, extra}, entry)) fail("its directory is damaged");
    entries_.push_back(std::move(entry));
    at += kEntryBytes + name + extra + comment;
  }
}

/// The position of an entry's packed bytes, after checking that it is readable.
std::uint64_t ZipArchive::contentOf(const ZipEntry& entry) const {
  if (entry.flags & kEncrypted) fail("it is encrypted");
  if (entry.method != kStored && entry.method != kDeflated) fail("its compression method is not supported");
  const std::string local = bytesAt(entry.at, kLocalBytes);
  if (number<std::uint32_t>(local.data()) != kLocalMark) fail("it is damaged");
  const std::uint64_t begin = entry.at + kLocalBytes + number<std::uint16_t>(local.data() + 26) +
                              number<std::uint16_t>(local.data() + 28);
  if (begin > data_.size() || entry.packed > data_.size() - begin) fail("it is damaged or cut off");
  requirePlausible(entry);
  return begin;
}

void ZipArchive::requirePlausible(const ZipEntry& entry) const {
  if (entry.packed > data_.size() || entry.unpacked / kLargestRatio > entry.packed ||
      (entry.method == kStored && entry.packed != entry.unpacked))
    fail("a file in it cannot have the size that it declares");
}

namespace {

/// The packed bytes of an entry from `begin` on; a deflated one as a gzip member, which is the same stream
/// with another header and trailer, and whose reader compares the checksum.
class PackedBytes {
 public:
  PackedBytes(const DataFile& data, std::uint64_t begin, const ZipEntry& entry)
      : data_(data), begin_(begin), packed_(entry.packed) {
    if (entry.method != kDeflated) return;
    head_.assign("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    append(foot_, entry.checksum, std::uint32_t(entry.unpacked));
  }

  /// Fills `to` unless the bytes end before, and returns how many were read.
  std::size_t read(std::span<char> to) {
    std::size_t done = 0;
    while (done < to.size() && at_ < head_.size() + packed_ + foot_.size()) {
      const std::size_t count = readPart(to.subspan(done));
      done += count;
      at_ += count;
    }
    return done;
  }

 private:
  /// Reads from header, stream or trailer alone.
  std::size_t readPart(std::span<char> to) const {
    if (at_ < head_.size()) return head_.copy(to.data(), to.size(), std::size_t(at_));
    const std::uint64_t from = at_ - head_.size();
    if (from >= packed_) return foot_.copy(to.data(), to.size(), std::size_t(from - packed_));
    const auto part = to.first(std::size_t(std::min<std::uint64_t>(to.size(), packed_ - from)));
    data_.read(begin_ + from, part);
    return part.size();
  }

  const DataFile& data_;
  std::uint64_t begin_, packed_, at_ = 0;
  std::string head_, foot_;
};

}  // namespace

void ZipArchive::read(const ZipEntry& entry, const std::function<bool(std::span<const char>)>& take) const {
  PackedBytes packed(data_, contentOf(entry), entry);
  const auto pull = [&](std::span<char> to) { return packed.read(to); };
  std::optional<Inflater> inflater;
  if (entry.method == kDeflated) inflater.emplace(pull, Inflater::After::nothing);
  std::string piece(std::size_t(std::min<std::uint64_t>(kPiece, entry.unpacked + 1)), '\0');
  std::uint64_t got = 0;
  std::uint32_t checksum = 0;
  try {
    for (std::size_t more; (more = inflater ? inflater->readSome(piece) : pull(piece)) > 0;) {
      got += more;
      if (got > entry.unpacked) fail("a file in it is larger than it says");
      const auto bytes = std::span<const char>(piece).first(more);
      if (!inflater) checksum = checksumOf(checksum, bytes);
      if (!take(bytes)) return;
    }
  } catch (const InflateFault& fault) {
    fail(fault.what());
  }
  if (got != entry.unpacked) fail("a file in it is smaller than it says");
  if (!inflater && checksum != entry.checksum) fail("the checksum of a file in it does not match");
}

void ZipArchive::read(const ZipEntry& entry, std::span<char> to, const Progress& progress) const {
  if (entry.unpacked != to.size()) fail("a file in it has another size than it should");
  if (entry.method == kStored) {
    const std::uint64_t begin = contentOf(entry);
    std::uint32_t checksum = 0;
    for (std::size_t done = 0; done < to.size();) {
      const auto part = to.subspan(done, std::min(kPiece, to.size() - done));
      data_.read(begin + done, part);
      checksum = checksumOf(checksum, part);
      done += part.size();
      progress.update(double(done) / double(to.size()));
    }
    if (checksum != entry.checksum) fail("the checksum of a file in it does not match");
    return;
  }
  std::size_t done = 0;
  read(entry, [&](std::span<const char> bytes) {
    std::ranges::copy(bytes, to.begin() + std::ptrdiff_t(done));
    done += bytes.size();
    progress.update(double(done) / double(to.size()));
    return true;
  });
}

void ZipArchive::readPart(const ZipEntry& entry, std::uint64_t at, std::span<char> to) const {
  if (!isStored(entry) || at > entry.packed || to.size() > entry.packed - at)
    fail("a file in it has another size than it should");
  data_.read(contentOf(entry) + at, to);
}

// A file's size and checksum are known only at its end. Its header reserves room for 64-bit sizes, in a field
// that becomes padding if they fit into 32 bits.

void ZipWriter::begin(const std::string& name) {
  end();
  entries_.push_back({name, kUtf8, kStored, 0, 0, 0, sink_.written()});
  std::string head;
  append(head, kLocalMark);
  head.resize(kLocalBytes - 4, '\0');
  append(head, std::uint16_t(name.size()), std::uint16_t(4 + kLargeFieldBytes));
  head += name;
  head.resize(head.size() + 4 + kLargeFieldBytes, '\0');
  sink_.write(head);
  open_ = true;
}

void ZipWriter::write(std::span<const char> bytes) {
  entries_.back().checksum = checksumOf(entries_.back().checksum, bytes);
  entries_.back().unpacked += bytes.size();
  sink_.write(bytes);
}

namespace {

/// The common part of a file's header and its directory entry, from the version needed on.
std::string commonPart(const ZipEntry& entry, bool large) {
  constexpr std::uint16_t kDay = 1 << 5 | 1;  // 1 January 1980: the same content gives the same bytes
  std::string text;
  const std::uint32_t size = large ? kIsLarge : std::uint32_t(entry.unpacked);
  append(text, std::uint16_t(large ? 45 : 20), entry.flags, entry.method, std::uint16_t(0), kDay,
         entry.checksum, size, size, std::uint16_t(entry.name.size()));
  return text;
}

}  // namespace

void ZipWriter::end() {
  if (!std::exchange(open_, false)) return;
  ZipEntry& entry = entries_.back();
  entry.packed = entry.unpacked;
  const bool large = entry.unpacked >= kIsLarge;
  sink_.replace(entry.at + 4, commonPart(entry, large));
  std::string field;
  const std::uint64_t size = large ? entry.unpacked : 0;
  append(field, large ? kLargeField : kPaddingField, std::uint16_t(kLargeFieldBytes), size, size);
  sink_.replace(entry.at + kLocalBytes + entry.name.size(), field);
}

void ZipWriter::close() {
  end();
  const std::uint64_t begin = sink_.written();
  std::string text;
  for (const ZipEntry& entry : entries_) {
    const bool large = entry.unpacked >= kIsLarge || entry.at >= kIsLarge;
    append(text, kEntryMark, std::uint16_t(45));
    text += commonPart(entry, large);
    append(text, std::uint16_t(large ? 4 + 24 : 0), std::uint64_t(0), std::uint16_t(0),
           large ? kIsLarge : std::uint32_t(entry.at));
    text += entry.name;
    if (large) append(text, kLargeField, std::uint16_t(24), entry.unpacked, entry.packed, entry.at);
  }
  const std::uint64_t length = text.size(), count = entries_.size();
  const bool large = begin >= kIsLarge || count >= 0xffff;
  if (large)
    append(text, kLargeEndMark, std::uint64_t(kLargeEndBytes - 12), std::uint16_t(45), std::uint16_t(45),
           std::uint64_t(0), count, count, length, begin, kLargePlaceMark, std::uint32_t(0), begin + length,
           std::uint32_t(1));
  const auto shortCount = std::uint16_t(large ? 0xffff : count);
  append(text, kEndMark, std::uint32_t(0), shortCount, shortCount, std::uint32_t(length),
         large ? kIsLarge : std::uint32_t(begin), std::uint16_t(0));
  sink_.write(text);
  sink_.close();
}

}  // namespace sulcus::io
