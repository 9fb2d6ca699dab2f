#include "core/io/streams/inflater.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <isa-l/igzip_lib.h>

namespace sulcus::io {
namespace {

constexpr std::size_t kInput = 1 << 18;

const char* reasonOf(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK:
      return "invalid block";
    case ISAL_INVALID_SYMBOL:
      return "invalid code";
    case ISAL_INVALID_LOOKBACK:
      return "invalid distance";
    case ISAL_INCORRECT_CHECKSUM:
      return "incorrect data check";
    case ISAL_NEED_DICT:
      return "it needs a dictionary";
    default:
      return "incorrect header check";
  }
}

}  // namespace

bool isGzip(std::span<const char> begin) {
  return begin.size() >= 2 && begin[0] == 0x1f && begin[1] == char(0x8b);
}

Inflater::Inflater(Pull pull, After after)
    : pull_(std::move(pull)),
      after_(after),
      state_(std::make_unique<inflate_state>()),
      in_(std::make_unique_for_overwrite<char[]>(kInput)) {
  isal_inflate_init(state_.get());
  state_->next_in = reinterpret_cast<std::uint8_t*>(in_.get());
}

Inflater::~Inflater() = default;

/// Pulls until `least` bytes are available; false if there are not that many.
bool Inflater::fill(std::size_t least) {
  while (state_->avail_in < least) {
    std::memmove(in_.get(), state_->next_in, state_->avail_in);
    state_->next_in = reinterpret_cast<std::uint8_t*>(in_.get());
    const std::size_t got = pull_(std::span(in_.get(), kInput).subspan(state_->avail_in));
    if (got == 0) return false;
    state_->avail_in += std::uint32_t(got);
  }
  return true;
}

bool Inflater::isGzipNext() { return fill(2) && isGzip({reinterpret_cast<const char*>(state_->next_in), 2}); }

void Inflater::begin(bool isGzip) {
  isal_inflate_reset(state_.get());
  state_->crc_flag = isGzip ? ISAL_GZIP : ISAL_ZLIB;
}

std::size_t Inflater::readSome(std::span<char> to) {
  constexpr std::size_t kMost = 1 << 30;  // sizes have 32 bits in zlib
  if (!std::exchange(begun_, true)) begin(isGzipNext());
  std::size_t got = 0;
  while (got < to.size() && !ended_) {
    const auto room = std::uint32_t(std::min(to.size() - got, kMost));
    state_->next_out = reinterpret_cast<std::uint8_t*>(to.data() + got);
    state_->avail_out = room;
    const int code = isal_inflate(state_.get());
    if (code != ISAL_DECOMP_OK) throw InflateFault(reasonOf(code), false);
    const std::size_t made = room - state_->avail_out;
    got += made;
    if (state_->block_state == ISAL_BLOCK_FINISH) {
      ended_ = after_ == After::nothing || !isGzipNext();
      if (!ended_) begin(true);
    } else if (made == 0 && !fill(state_->avail_in + 1)) {
      throw InflateFault("it ends before its compressed data do", true);
    }
  }
  return got;
}

}  // namespace sulcus::io
