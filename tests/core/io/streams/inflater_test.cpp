#include "core/io/streams/inflater.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace sulcus::io {
namespace {

constexpr int kGzip = 15 + 16, kZlib = 15;

std::string deflated(const std::string& bytes, int wrapper, int level = 6) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, wrapper, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, uLong(bytes.size())) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// About as compressible as scans.
std::string bytesOf(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = char(i % 2 ? random() % 7 : i / 1000);
  return bytes;
}

/// All data of `data`, of which at most `piece` bytes are pulled and `wanted` read at a time.
std::string inflated(const std::string& data, Inflater::After after = Inflater::After::members,
                     std::size_t piece = 1 << 20, std::size_t wanted = 1 << 16) {
  std::size_t at = 0;
  Inflater inflater(
      [&](std::span<char> to) {
        const std::size_t count = std::min({to.size(), piece, data.size() - at});
        std::copy_n(data.begin() + std::ptrdiff_t(at), count, to.begin());
        at += count;
        return count;
      },
      after);
  std::string all, some(wanted, '\0');
  for (std::size_t got; (got = inflater.readSome(some)) > 0;) all.append(some, 0, got);
  return all;
}

TEST(Inflater, ReadsWhatZlibWrote) {
  for (const std::size_t count : {0, 1, 100, 300'000})
    for (const int wrapper : {kGzip, kZlib})
      for (const int level : {0, 1, 9})
        for (const std::size_t piece : {std::size_t(1), std::size_t(4099), std::size_t(1) << 20}) {
          if (piece == 1 && count > 1000) continue;
          const std::string bytes = bytesOf(count, unsigned(count));
          for (const std::size_t wanted : {std::size_t(1) << 20, std::size_t(3001)})
            EXPECT_EQ(inflated(deflated(bytes, wrapper, level), Inflater::After::nothing, piece, wanted),
                      bytes)
                << count << " " << wrapper << " " << level << " " << piece << " " << wanted;
        }
}

TEST(Inflater, ReadsMembersOneAfterTheOtherAndLeavesOutWhatFollows) {
  std::string members, bytes;
  for (unsigned i = 0; i < 60; ++i) {  // ends at every position within a word
    const std::string more = bytesOf(i * 37, i);
    members += deflated(more, kGzip), bytes += more;
  }
  for (const char* after : {"", "\n", "\x1f", "something else"})
    for (const std::size_t piece : {1, 7, 100'000})
      EXPECT_EQ(inflated(members + after, Inflater::After::members, piece), bytes) << after << piece;
  EXPECT_EQ(inflated(deflated("a", kGzip) + deflated("b", kGzip), Inflater::After::nothing), "a");
}

TEST(Inflater, SaysThatDataAreCutWhereverTheyEnd) {
  const std::string whole = deflated(bytesOf(3000, 1), kGzip);
  for (std::size_t size = 0; size < whole.size(); ++size) try {
      inflated(whole.substr(0, size));
      ADD_FAILURE() << size;
    } catch (const InflateFault& fault) {
      EXPECT_TRUE(fault.isCut) << size << fault.what();
    }
}

TEST(Inflater, NeverTakesChangedBytesForOthers) {
  const std::string bytes = bytesOf(3000, 2), whole = deflated(bytes, kGzip);
  constexpr std::size_t kHeader = 10;
  for (std::size_t at = kHeader; at < whole.size(); ++at)
    for (const char flip : {'\x01', '\x10', '\x80'}) {
      std::string changed = whole;
      changed[at] ^= flip;
      try {
        EXPECT_EQ(inflated(changed), bytes) << at;  // padding bits in the last byte are ignored
      } catch (const InflateFault&) {
      }
    }
  EXPECT_THROW(inflated("no compressed data"), InflateFault);
}

}  // namespace
}  // namespace sulcus::io
