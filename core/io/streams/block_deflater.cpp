#include "core/io/streams/block_deflater.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

namespace sulcus::io {
namespace {

constexpr std::size_t kBlock = 1 << 20;
static_assert(BlockDeflater::kTogether % kBlock == 0);
/// Compression level of ISA-L: maps are as small as with level 3, in half the time; images of whole numbers
/// are 1 % larger.
constexpr int kLevel = 2;

// Incompressible bytes are stored, with 5 bytes per 64 kB, and the flush takes a few more.
constexpr std::size_t kRoom = kBlock + kBlock / 1000 + 1000;

/// This many bytes at the beginning of a block are stored and serve as the dictionary for the rest. Without a
/// dictionary, ISA-L (2.30, 2.32) takes the hash of a block's third position from a register that depends on
/// the stream's address, so that one of some thousand files would be compressed to different bytes than in
/// the previous run.
constexpr std::size_t kStored = 16;
constexpr std::size_t kStoredHead = 5;  ///< a byte for the block type, its length and the complement of the
                                        ///< length

/// Writes a stored deflate block (RFC 1951, 3.2.4) of at most 255 bytes that is not the last.
void store(std::span<const char> bytes, char* to) {
  const std::array<char, kStoredHead> head{0, char(bytes.size()), 0, char(~bytes.size()), char(0xff)};
  std::copy(bytes.begin(), bytes.end(), std::copy(head.begin(), head.end(), to));
}

}  // namespace

void BlockDeflater::Compressed::take(std::span<const char> block) {
  if (!bytes) {
    bytes = std::make_unique_for_overwrite<char[]>(kRoom);
    memory = std::make_unique<std::uint8_t[]>(ISAL_DEF_LVL2_DEFAULT);
  }
  const auto stored = block.first(std::min(kStored, block.size())), rest = block.subspan(stored.size());
  store(stored, bytes.get());
  size = kStoredHead + stored.size();
  if (rest.empty()) return;

  isal_zstream stream{};  // isal_deflate_init leaves members unset that are read
  isal_deflate_init(&stream);
  stream.level = kLevel;
  stream.level_buf = memory.get();
  stream.level_buf_size = ISAL_DEF_LVL2_DEFAULT;
  stream.flush = FULL_FLUSH;
  const auto input = [](std::span<const char> part) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(part.data()));
  };
  stream.next_in = input(rest);
  stream.avail_in = std::uint32_t(rest.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(bytes.get() + size);
  stream.avail_out = std::uint32_t(kRoom - size);
  if (isal_deflate_set_dict(&stream, input(stored), std::uint32_t(stored.size())) != COMP_OK ||
      isal_deflate(&stream) != COMP_OK || stream.avail_in != 0)
    throw std::logic_error("a block could not be compressed");
  size += stream.total_out;
}

BlockDeflater::BlockDeflater(Wrapper wrapper, Write write)
    : wrapper_(wrapper), write_(std::move(write)), checksum_(wrapper == Wrapper::gzip ? 0 : 1) {
  if (wrapper == Wrapper::gzip)  // deflate, without name and time, from an unknown system
    write_(std::array<char, 10>{0x1f, char(0x8b), 8, 0, 0, 0, 0, 0, 0, char(255)});
  else  // deflate with a window of 32 kB, fast compression
    write_(std::array<char, 2>{0x78, 0x01});
}

void BlockDeflater::append(std::span<const char> bytes) {
  const auto take = [&](std::size_t count) {
    const auto taken = bytes.first(std::min(count, bytes.size()));
    bytes = bytes.subspan(taken.size());
    return taken;
  };
  while (pending_.size() + bytes.size() >= kTogether) {
    const auto begun = take((kBlock - pending_.size() % kBlock) % kBlock);
    pending_.insert(pending_.end(), begun.begin(), begun.end());
    compress(take(std::min(bytes.size(), kTogether - pending_.size()) / kBlock * kBlock));
  }
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

void BlockDeflater::compress(std::span<const char> following) {
  std::vector<std::span<const char>> blocks;
  for (const std::span<const char> bytes : {std::span<const char>(pending_), following}) {
    const auto* const first = reinterpret_cast<const unsigned char*>(bytes.data());
    checksum_ = wrapper_ == Wrapper::gzip ? crc32_gzip_refl(checksum_, first, bytes.size())
                                          : isal_adler32(checksum_, first, bytes.size());
    size_ += bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += kBlock)
      blocks.push_back(bytes.subspan(at, std::min(kBlock, bytes.size() - at)));
  }
  if (compressed_.size() < blocks.size()) compressed_.resize(blocks.size());
  parallelFor(std::int64_t(blocks.size()), 1, Progress(),
              [&](std::int64_t i) { compressed_[std::size_t(i)].take(blocks[std::size_t(i)]); });
  for (std::size_t i = 0; i < blocks.size(); ++i) write_({compressed_[i].bytes.get(), compressed_[i].size});
  pending_.clear();
}

void BlockDeflater::finish() {
  compress({});
  write_(std::array<char, 2>{3, 0});  // an empty last block
  std::vector<char> end;
  if (wrapper_ == Wrapper::gzip) {
    for (int byte = 0; byte < 4; ++byte) end.push_back(char(checksum_ >> (8 * byte)));
    for (int byte = 0; byte < 4; ++byte) end.push_back(char(size_ >> (8 * byte)));
  } else {
    for (int byte = 3; byte >= 0; --byte) end.push_back(char(checksum_ >> (8 * byte)));
  }
  write_(end);
}

}  // namespace sulcus::io
