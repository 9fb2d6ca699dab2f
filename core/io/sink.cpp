#include "core/io/sink.h"

#include "core/io/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

namespace sulcus::io {

/// Compresses into a Sink.
class Sink::Deflater {
 public:
  Deflater(Sink& sink, Wrapper wrapper) : sink_(sink) {
    // Nearly the size of level 6 in half the time.
    constexpr int kLevel = 4, kWindow = 15, kGzip = 16, kMemory = 8;
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kWindow + (wrapper == Wrapper::gzip ? kGzip : 0), kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// `flush`: Z_NO_FLUSH, or Z_FINISH for the end.
  void put(std::span<const char> bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = unsigned(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = unsigned(out_.size());
      deflate(&stream_, flush);
      sink_.put(std::span<const char>(out_).first(out_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  Sink& sink_;
  z_stream stream_{};
  std::vector<char> out_ = std::vector<char>(1 << 18);
};

Sink::Sink(const std::filesystem::path& to, const std::filesystem::path& file, const Progress& progress)
    : file_(file), progress_(progress), descriptor_(open(to.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)) {
  if (descriptor_ < 0) failWriting(file, errno);
}

Sink::~Sink() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Sink::put(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) failWriting(file_, count < 0 ? errno : EIO);
    bytes = bytes.subspan(std::size_t(count));
    written_ += std::uint64_t(count);
  }
}

void Sink::write(std::span<const char> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    progress_.update(double(done) / double(bytes.size()));
    const auto chunk = bytes.subspan(done, std::min<std::size_t>(bytes.size() - done, 1u << 20));
    if (deflater_)
      deflater_->put(chunk, Z_NO_FLUSH);
    else
      put(chunk);
    done += chunk.size();
  }
}

void Sink::deflateRest(Wrapper wrapper) { deflater_ = std::make_unique<Deflater>(*this, wrapper); }

void Sink::endDeflate() {
  if (deflater_) deflater_->put({}, Z_FINISH);
  deflater_.reset();
}

void Sink::replace(std::uint64_t position, std::string_view text) {
  if (pwrite(descriptor_, text.data(), text.size(), off_t(position)) != ssize_t(text.size()))
    failWriting(file_, errno);
}

void Sink::close() {
  endDeflate();
  if (::close(std::exchange(descriptor_, -1)) != 0) failWriting(file_, errno);
}

}  // namespace sulcus::io
