#include "core/io/streams/unpackers.h"

#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include <bzlib.h>
#include <zstd.h>

namespace sulcus::io {
namespace {

constexpr std::size_t kPacked = 1 << 17;  ///< bytes pulled at a time

/// The bytes of the file that have not been consumed by a decompressor.
class Packed {
 public:
  explicit Packed(Inflater::Pull pull) : pull_(std::move(pull)) {}

  /// The next bytes; empty at the end of the file.
  std::span<char> next() {
    if (rest_.empty()) rest_ = {buffer_.get(), pull_({buffer_.get(), kPacked})};
    return rest_;
  }
  void take(std::size_t count) { rest_ = rest_.subspan(count); }

 private:
  Inflater::Pull pull_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kPacked);
  std::span<char> rest_;
};

class Zstd {
 public:
  explicit Zstd(Inflater::Pull pull) : packed_(std::move(pull)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t readSome(std::span<char> to) {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos < out.size) {
      const auto input = packed_.next();
      ZSTD_inBuffer in{input.data(), input.size(), 0};
      const std::size_t before = out.pos;
      const std::size_t state = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(state)) throw InflateFault(ZSTD_getErrorName(state), false);
      packed_.take(in.pos);
      if (input.empty() && out.pos == before) {
        if (!atFrameEnd_) throw InflateFault("its end is missing", true);
        break;
      }
      atFrameEnd_ = state == 0;
    }
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  Packed packed_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  bool atFrameEnd_ = false;
};

class Bzip2 {
 public:
  explicit Bzip2(Inflater::Pull pull) : packed_(std::move(pull)) { begin(); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;
  ~Bzip2() { BZ2_bzDecompressEnd(&stream_); }

  std::size_t readSome(std::span<char> to) {
    std::size_t got = 0;
    while (got < to.size()) {
      const auto input = packed_.next();
      if (input.empty() && !atStreamEnd_) throw InflateFault("its end is missing", true);
      if (input.empty()) break;
      if (atStreamEnd_) {
        BZ2_bzDecompressEnd(&stream_);
        begin();
      }
      const std::size_t room = std::min<std::size_t>(to.size() - got, std::numeric_limits<unsigned>::max());
      stream_.next_in = input.data();
      stream_.avail_in = unsigned(input.size());
      stream_.next_out = to.data() + got;
      stream_.avail_out = unsigned(room);
      const int state = BZ2_bzDecompress(&stream_);
      if (state == BZ_MEM_ERROR) throw std::bad_alloc();
      if (state != BZ_OK && state != BZ_STREAM_END) throw InflateFault("invalid block", false);
      packed_.take(input.size() - stream_.avail_in);
      got += room - stream_.avail_out;
      atStreamEnd_ = state == BZ_STREAM_END;
    }
    return got;
  }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    atStreamEnd_ = false;
  }
  Packed packed_;
  bz_stream stream_{};
  bool atStreamEnd_ = false;
};

template <class T>
Unpack unpackBy(Inflater::Pull pull) {
  return [unpacker = std::make_shared<T>(std::move(pull))](std::span<char> to) {
    return unpacker->readSome(to);
  };
}

}  // namespace

Unpack unpackerOf(std::span<const char> begin, Inflater::Pull pull) {
  const std::string_view start(begin.data(), begin.size());
  if (start.starts_with("\x28\xb5\x2f\xfd")) return unpackBy<Zstd>(std::move(pull));
  // A bzip2 block begins with the digits of pi, unlike an image that begins with "BZh".
  if (start.starts_with("BZh") && start.size() > 4 && start.substr(4).starts_with("\x31\x41\x59\x26\x53\x59"))
    return unpackBy<Bzip2>(std::move(pull));
  return {};
}

}  // namespace sulcus::io
