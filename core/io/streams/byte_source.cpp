#include "core/io/streams/byte_source.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/platform/memory/scratch_memory.h"
#include "core/base/sanitized.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

// Deflate cannot compress by more than 1032:1; the margin is for the headers of very small files.
constexpr std::uint64_t kLargestRatio = 1100;

constexpr std::size_t kBuffer = 1 << 18, kFirst = 1 << 14;  // bytes; many callers read no more than a header

/// In a git-annex pointer file, whose content was not fetched.
constexpr std::string_view kPointer = "/annex/objects/";

[[noreturn]] void failNotFetched(const fs::path& file, const std::string& why) {
  throw Error("The content of " + quoted(file) + " is not here", why,
              "get it first, with DataLad by: datalad get FILE");
}

}  // namespace

std::string quoted(const fs::path& file) {
  return sanitizedForDisplay(file.filename().string(), 100).insert(0, 1, '\'').append("'");
}
std::string quotedPath(const fs::path& file) {
  return sanitizedForDisplay(file.string(), 500).insert(0, 1, '\'').append("'");
}

std::string byteText(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 5) bytes /= 1000, ++unit;
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.3g %s", bytes, units[unit]);
  return text;
}

DataFile::DataFile(DataFile&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(other.release()), size_(other.size_) {}

DataFile::~DataFile() {
  if (descriptor_ >= 0) closeDescriptor(descriptor_);
}

int DataFile::release() { return std::exchange(descriptor_, -1); }

std::size_t DataFile::readSome(std::uint64_t position, std::span<char> to) const {
  const std::ptrdiff_t got = readAt(descriptor_, to, position);
  if (got < 0)
    throw Error(quoted(file_) + " cannot be read", std::strerror(errno), "copy or download it again");
  return std::size_t(got);
}

void DataFile::read(std::uint64_t position, std::span<char> to) const {
  if (readSome(position, to) < to.size())
    throw Error(quoted(file_) + " ends too early", "it became shorter while it was read",
                "copy or download it again");
}

DataFile openData(const fs::path& file) {
  DataFile opened(file, openToRead(file));
  const int code = errno;
  const auto status = opened.descriptor_ >= 0 ? statusOf(opened.descriptor_) : std::nullopt;
  const bool known = status.has_value();
  if (!known && code == ENOENT) requireFetched(file);
  if (!known && (code == ENOENT || code == ENOTDIR))
    throw Error("There is no file " + quoted(file), quotedPath(file) + " does not exist", "check the path");
  if (known && status->kind == FileStatus::Kind::folder)
    throw Error(quoted(file) + " is a folder", "a scan is read from one file",
                "choose a file in it, or open the folder as a DICOM series");
  if (known ? status->kind != FileStatus::Kind::file : code == ENXIO || code == ENODEV)
    throw Error(quoted(file) + " is not a regular file", "it is a device, pipe or socket",
                "choose a file on disk");
  if (!known)
    throw Error("Cannot read " + quoted(file), std::strerror(code),
                code == EACCES || code == EPERM ? "ask for permission to read it" : "check the path");
  if (status->bytes == 0)
    throw Error(quoted(file) + " is empty", "it has 0 bytes", "copy or download it again");
  opened.size_ = status->bytes;
  constexpr std::uint64_t kLongestPointer = 32'768;  // bytes; limit of git-annex for such a file
  std::array<char, kPointer.size()> start{};
  if (opened.size_ <= kLongestPointer && opened.readSome(0, start) == start.size() &&
      std::string_view(start.data(), start.size()) == kPointer)
    failNotFetched(file, "it holds only the key that git-annex knows it by");
  return opened;
}

void requireFetched(const fs::path& file) {
  std::error_code fault;
  if (fs::is_symlink(file, fault) && !fs::exists(file, fault) && !fault)
    failNotFetched(file, "it is a broken link");
}

void requireReadable(const fs::path& file) { openData(file); }

void requireMemory(std::uint64_t bytes, const fs::path& file) { requireMemory(bytes, quoted(file)); }

void requireMemory(std::uint64_t bytes, const std::string& name) {
  constexpr std::uint64_t kLittle =
      16'000'000;  // always available, and asking takes longer than reading a small file
  if (bytes <= kLittle) return;
  const double free = freeHostMemory();
  if (free <= 0 || double(bytes) <= free || (newTakesScratch && bytes <= scratchRoom())) return;
  std::string has = byteText(free) + " are free";
  if (newTakesScratch)
    has = has + ", and " + byteText(double(scratchRoom())) + " in the folder for temporary files";
  throw Error(name + " does not fit into memory", "it needs " + byteText(double(bytes)) + " and " + has,
              "close other scans and programs, or use a machine with more memory", ErrorKind::unavailable);
}

std::string openText(const fs::path& file, std::uint64_t most) {
  ByteSource source(file);
  std::string text;
  std::array<char, 1 << 14> chunk;
  for (std::size_t got; (got = source.readSome(chunk)) > 0;) {
    text.append(chunk.data(), got);
    if (text.size() > most)
      throw Error(quoted(file) + " is too long for a text file", "it has more than " + byteText(double(most)),
                  "check that it is the right file");
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw Error(quoted(file) + " is a text in UTF-16", "Sulcus reads UTF-8",
                "save it anew as UTF-8, in Excel as 'CSV UTF-8'");
  if (text.find('\0') != std::string::npos)
    throw Error(quoted(file) + " is not a text file", "it holds binary data",
                "check that it is the right file");
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  std::size_t to = 0;
  for (std::size_t from = 0; from < text.size(); ++from) {
    if (text[from] == '\r' && from + 1 < text.size() && text[from + 1] == '\n') continue;
    text[to++] = text[from] == '\r' ? '\n' : text[from];
  }
  text.resize(to);
  return text;
}

ByteSource::ByteSource(const fs::path& file) : file_(file), data_(openData(file)) {
  std::array<char, 10> start;
  const auto begin = std::span(start).first(data_.readSome(0, start));
  const auto pull = [this](std::span<char> to) { return readStored(to); };
  isGzip_ = isGzip(begin);
  if (isGzip_)
    ofFile_ = [inflater = std::make_shared<Inflater>(pull, Inflater::After::members)](std::span<char> to) {
      return inflater->readSome(to);
    };
  else
    ofFile_ = unpackerOf(begin, pull);
}

void ByteSource::failInflating(const InflateFault& fault) const {
  if (fault.isCut)
    throw Error(quoted(file_) + " ends too early",
                "it was cut off: the end of its compressed data is missing", "copy or download it again");
  throw Error(quoted(file_) + " is damaged", fault.what(), "copy or download it again");
}

std::size_t ByteSource::readStored(std::span<char> to) {
  const std::size_t got = data_.readSome(next_, to);
  next_ += got;
  return got;
}

std::size_t ByteSource::readFile(std::span<char> to) {
  if (ofFile_) return ofFile_(to);
  std::size_t got = 0;
  while (got < to.size()) {
    if (ready_.empty() && to.size() - got >= kBuffer) return got + readStored(to.subspan(got));
    if (ready_.empty()) {
      if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kBuffer);
      ready_ = {buffer_.get(), readStored({buffer_.get(), next_ == 0 ? kFirst : kBuffer})};
      if (ready_.empty()) break;
    }
    const std::size_t count = std::min(to.size() - got, ready_.size());
    std::copy_n(ready_.begin(), count, to.begin() + std::ptrdiff_t(got));
    ready_ = ready_.subspan(count);
    got += count;
  }
  return got;
}

void ByteSource::inflateRest() {
  ofRest_ = std::make_unique<Inflater>([this](std::span<char> to) { return readFile(to); },
                                       Inflater::After::nothing);
  position_ = 0;
}

std::size_t ByteSource::readSome(std::span<char> to) {
  try {
    const std::size_t got = ofRest_ ? ofRest_->readSome(to) : readFile(to);
    position_ += got;
    return got;
  } catch (const InflateFault& fault) {
    failInflating(fault);
  }
}

void ByteSource::read(std::span<char> to) {
  if (readSome(to) < to.size())
    throw Error(quoted(file_) + " ends too early",
                "after " + std::to_string(position_) + " bytes, before all that its header declares",
                "copy or download it again");
}

void ByteSource::skipTo(std::uint64_t position, const Progress& progress) {
  std::array<char, 4096> waste;
  while (position_ < position) {
    progress.throwIfCancelled();
    read(std::span(waste).first(std::size_t(std::min<std::uint64_t>(waste.size(), position - position_))));
  }
}

void ByteSource::skipLines(std::int64_t count, const Progress& progress) {
  while (count > 0) {
    char c = 0;
    if (position_ % 4096 == 0) progress.throwIfCancelled();
    read({&c, 1});
    count -= c == '\n';
  }
}

bool ByteSource::finish() {
  std::array<char, 1 << 16> beyond;
  return readSome(std::span(beyond).first(compressed() || ofRest_ ? beyond.size() : 1)) > 0;
}

void ByteSource::requireRoomFor(std::uint64_t bytes) const {
  if (!compressed() && bytes > data_.size())
    throw Error(quoted(file_) + " is shorter than its header says",
                "it has " + std::to_string(data_.size()) + " of " + std::to_string(bytes) + " bytes",
                "copy or download it again");
  if (isGzip_) requirePlausible(bytes);
}

void ByteSource::requirePlausible(std::uint64_t bytes) const {
  if (bytes / kLargestRatio > data_.size() + 1)
    throw Error(quoted(file_) + " cannot be as large as its header says",
                byteText(double(bytes)) + " do not fit into " + byteText(double(data_.size())) +
                    " of compressed data",
                "copy or download it again");
}

}  // namespace sulcus::io
