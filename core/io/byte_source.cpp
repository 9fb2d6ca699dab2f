#include "core/io/byte_source.h"

#include "core/base/error.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

// Deflate cannot compress by more than 1032:1; the margin is for the headers of very small files.
constexpr std::uint64_t kLargestRatio = 1100;

gzFile handle(void* stream) { return static_cast<gzFile>(stream); }

}  // namespace

std::string quoted(const fs::path& file) {
  return printable(file.filename().native(), 100).insert(0, 1, '\'').append("'");
}
std::string quotedPath(const fs::path& file) {
  return printable(file.native(), 500).insert(0, 1, '\'').append("'");
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
  if (descriptor_ >= 0) close(descriptor_);
}

int DataFile::release() { return std::exchange(descriptor_, -1); }

std::size_t DataFile::readSome(std::uint64_t position, std::span<char> to) const {
  std::size_t got = 0;
  while (got < to.size()) {
    const ssize_t count = pread(descriptor_, to.data() + got, to.size() - got, off_t(position + got));
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw Error(quoted(file_) + " cannot be read", std::strerror(errno), "copy or download it again");
    got += std::size_t(count);
  }
  return got;
}

void DataFile::read(std::uint64_t position, std::span<char> to) const {
  if (readSome(position, to) < to.size())
    throw Error(quoted(file_) + " ends too early", "it became shorter while it was read",
                "copy or download it again");
}

DataFile openData(const fs::path& file) {
  // Without O_NONBLOCK opening a pipe would wait for its writer.
  DataFile opened(file, open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  const int code = errno;
  struct stat status = {};
  const bool known = opened.descriptor_ >= 0 && fstat(opened.descriptor_, &status) == 0;
  if (!known && (code == ENOENT || code == ENOTDIR))
    throw Error("There is no file " + quoted(file), quotedPath(file) + " does not exist", "check the path");
  if (known && S_ISDIR(status.st_mode))
    throw Error(quoted(file) + " is a folder", "a scan is read from one file",
                "choose a file in it, or open the folder as a DICOM series");
  if (known ? !S_ISREG(status.st_mode) : code == ENXIO || code == ENODEV)
    throw Error(quoted(file) + " is no ordinary file", "it is a device, pipe or socket",
                "choose a file on disk");
  if (!known)
    throw Error("Cannot read " + quoted(file), std::strerror(code),
                code == EACCES || code == EPERM ? "ask for permission to read it" : "check the path");
  if (status.st_size == 0)
    throw Error(quoted(file) + " is empty", "it has 0 bytes", "copy or download it again");
  fcntl(opened.descriptor_, F_SETFL, fcntl(opened.descriptor_, F_GETFL) & ~O_NONBLOCK);
  opened.size_ = std::uint64_t(status.st_size);
  return opened;
}

void requireReadable(const fs::path& file) { openData(file); }

void requireMemory(std::uint64_t bytes, const fs::path& file) {
  const auto memory = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
  if (bytes > memory)
    throw Error(quoted(file) + " does not fit into memory",
                "it needs " + byteText(double(bytes)) + " and this machine has " + byteText(double(memory)),
                "crop or down-sample the scan, or use a machine with more memory", ErrorKind::unavailable);
}

std::string openText(const fs::path& file, std::uint64_t most) {
  ByteSource source(file);
  std::string text;
  std::vector<char> chunk(1 << 16);
  for (std::size_t got; (got = source.readSome(chunk)) > 0;) {
    text.append(chunk.data(), got);
    if (text.size() > most)
      throw Error(quoted(file) + " is too long for a text file", "it has more than " + byteText(double(most)),
                  "check that it is the right file");
  }
  if (text.find('\0') != std::string::npos)
    throw Error(quoted(file) + " is no text file", "it holds binary data", "check that it is the right file");
  return text;
}

ByteSource::ByteSource(const fs::path& file) : file_(file) {
  DataFile data = openData(file);
  fileSize_ = data.size();
  const int descriptor = data.release();
  stream_ = gzdopen(descriptor, "rb");
  if (!stream_) {
    close(descriptor);
    throw Error("Cannot read " + quoted(file), "there is no memory for it", "close other scans or programs",
                ErrorKind::unavailable);
  }
  gzbuffer(handle(stream_), 1 << 18);
  compressed_ = !gzdirect(handle(stream_));
}

ByteSource::~ByteSource() { gzclose(handle(stream_)); }

void ByteSource::failDamaged() const {
  int code = Z_OK;
  const char* const text = gzerror(handle(stream_), &code);
  std::string why = code == Z_ERRNO ? std::strerror(errno) : text;
  if (const auto name = why.find(": "); name != why.npos)
    why.erase(0, name + 2);  // without the name that zlib gives the file
  throw Error(quoted(file_) + (compressed_ ? " is damaged" : " cannot be read"), why,
              "copy or download it again");
}

void ByteSource::failCut() const {
  throw Error(quoted(file_) + " ends too early", "it was cut off: the end of its compressed data is missing",
              "copy or download it again");
}

std::size_t ByteSource::readPlain(std::span<char> to) {
  std::size_t got = 0;
  while (got < to.size()) {
    const auto ask = unsigned(std::min<std::size_t>(to.size() - got, 1u << 30));
    const int count = gzread(handle(stream_), to.data() + got, ask);
    if (count < 0) failDamaged();
    if (count == 0) {
      int code = Z_OK;
      gzerror(handle(stream_), &code);
      if (code == Z_BUF_ERROR && compressed_) failCut();
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) failDamaged();
      break;
    }
    got += std::size_t(count);
  }
  return got;
}

/// Decompresses the bytes that a ByteSource reads.
class ByteSource::Inflater {
 public:
  explicit Inflater(ByteSource& source) : source_(source) {
    if (inflateInit2(&stream_, 15 + 32) != Z_OK) throw std::bad_alloc();  // zlib or gzip
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::size_t readSome(std::span<char> to) {
    std::size_t got = 0;
    while (got < to.size() && !ended_) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_.avail_in = unsigned(source_.readPlain(in_));
        if (stream_.avail_in == 0) source_.failCut();
      }
      const auto room = unsigned(std::min<std::size_t>(to.size() - got, 1u << 30));
      stream_.next_out = reinterpret_cast<Bytef*>(to.data() + got), stream_.avail_out = room;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      got += room - stream_.avail_out;
      ended_ = code == Z_STREAM_END;
      if (code != Z_OK && !ended_)
        throw Error(quoted(source_.file_) + " is damaged",
                    stream_.msg ? stream_.msg : "its compressed numbers make no sense",
                    "copy or download it again");
    }
    return got;
  }

 private:
  ByteSource& source_;
  z_stream stream_{};
  std::vector<char> in_ = std::vector<char>(1 << 16);
  bool ended_ = false;
};

void ByteSource::inflateRest() {
  inflater_ = std::make_unique<Inflater>(*this);
  position_ = 0;
}

std::size_t ByteSource::readSome(std::span<char> to) {
  const std::size_t got = inflater_ ? inflater_->readSome(to) : readPlain(to);
  position_ += got;
  return got;
}

void ByteSource::read(std::span<char> to) {
  if (readSome(to) < to.size())
    throw Error(quoted(file_) + " ends too early",
                "after " + std::to_string(position_) + " bytes, before all that its header announces",
                "copy or download it again");
}

void ByteSource::skipTo(std::uint64_t position) {
  std::array<char, 4096> waste;
  while (position_ < position)
    read(std::span(waste).first(std::size_t(std::min<std::uint64_t>(waste.size(), position - position_))));
}

void ByteSource::finish() {
  char beyond;
  readSome({&beyond, 1});
}

void ByteSource::requireRoomFor(std::uint64_t bytes) const {
  if (!compressed_ && bytes > fileSize_)
    throw Error(quoted(file_) + " is shorter than its header says",
                "it has " + std::to_string(fileSize_) + " of " + std::to_string(bytes) + " bytes",
                "copy or download it again");
  if (compressed_) requirePlausible(bytes);
}

void ByteSource::requirePlausible(std::uint64_t bytes) const {
  if (bytes / kLargestRatio > fileSize_ + 1)
    throw Error(
        quoted(file_) + " cannot be as large as its header says",
        byteText(double(bytes)) + " do not fit into " + byteText(double(fileSize_)) + " of compressed data",
        "copy or download it again");
}

}  // namespace sulcus::io
