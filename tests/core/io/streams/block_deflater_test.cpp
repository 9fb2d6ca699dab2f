#include "core/io/streams/block_deflater.h"

#include "core/base/parallel/parallel_for.h"

#include <random>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <zlib.h>

namespace sulcus::io {
namespace {

using Wrapper = BlockDeflater::Wrapper;

std::string encoded(const std::string& bytes, std::size_t piece, Wrapper wrapper = Wrapper::gzip) {
  std::string out;
  BlockDeflater encoder(wrapper, [&](std::span<const char> more) { out.append(more.data(), more.size()); });
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    encoder.append(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
  encoder.finish();
  return out;
}

/// The bytes of exactly one stream, decompressed by zlib, which verifies checksum and size.
std::string decoded(const std::string& member, std::size_t size, Wrapper wrapper) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, wrapper == Wrapper::gzip ? 15 + 16 : 15), Z_OK);
  std::string out(size + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(member.data()));
  stream.avail_in = uInt(member.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0u) << "bytes behind the stream";
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string someBytes(std::size_t size) {
  std::mt19937 random(1);
  std::string bytes(size, '\0');
  // A third is zeros, a third has few values, and a third cannot be compressed.
  for (std::size_t i = size / 3; i < size; ++i) bytes[i] = char(i < 2 * size / 3 ? random() % 5 : random());
  return bytes;
}

TEST(BlockDeflater, MakesOneStreamThatZlibReads) {
  constexpr std::size_t kMegabyte = 1 << 20;
  for (const std::size_t size :
       {std::size_t(0), std::size_t(1), std::size_t(16), std::size_t(17), kMegabyte - 1, kMegabyte,
        kMegabyte + 1, 5 * kMegabyte + 12345, 32 * kMegabyte, 33 * kMegabyte + 3}) {
    const std::string bytes = someBytes(size);
    for (const Wrapper wrapper : {Wrapper::gzip, Wrapper::zlib}) {
      const std::string stream = encoded(bytes, 3 * kMegabyte + 7, wrapper);
      EXPECT_TRUE(decoded(stream, size, wrapper) == bytes) << size << " bytes";
    }
  }
}

TEST(BlockDeflater, GivesTheSameForAnyThreadsAndPieces) {
  const std::string bytes = someBytes(7'000'000), whole = encoded(bytes, bytes.size());
  EXPECT_TRUE(encoded(bytes, 1001) == whole);
  withThreads(1, [&] { EXPECT_TRUE(encoded(bytes, 100'000) == whole); });
}

TEST(BlockDeflater, GivesTheSameWhereverItsStackLies) {
  // Each of the first ten bytes occurs again at the end, so that the first position has to be found again.
  std::string bytes = someBytes(300).substr(200, 60);
  bytes += bytes.substr(0, 10);
  const std::string whole = encoded(bytes, bytes.size());
  constexpr std::size_t kStack = std::size_t(1) << 21;
  constexpr int kStacks = 500;  // side by side, so that no two share an address
  int others = 0;
  struct Once {
    const std::string &bytes, &whole;
    int& others;
  } once{bytes, whole, others};
  const auto compressOnce = [](void* argument) -> void* {
    const auto& at = *static_cast<Once*>(argument);
    at.others += encoded(at.bytes, at.bytes.size()) != at.whole;
    return nullptr;
  };
  void* const stacks = mmap(nullptr, kStack * kStacks, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(stacks, MAP_FAILED);
  for (int i = 0; i < kStacks; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, static_cast<char*>(stacks) + i * kStack, kStack);
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, &attributes, compressOnce, &once), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }
  munmap(stacks, kStack * kStacks);
  EXPECT_EQ(others, 0) << "of " << kStacks;
}

TEST(BlockDeflater, CompressesWhatCanBe) {
  const std::string zeros(10'000'000, '\0');
  EXPECT_LT(encoded(zeros, zeros.size()).size(), zeros.size() / 100);
  const std::string noise = someBytes(3'000'000).substr(2'000'000);
  EXPECT_LT(encoded(noise, noise.size()).size(), noise.size() + noise.size() / 1000 + 100);
}

TEST(BlockDeflater, PassesOnThatWritingFailed) {
  BlockDeflater encoder(Wrapper::gzip, [count = 0](std::span<const char>) mutable {
    if (++count > 1) throw std::runtime_error("disk full");
  });
  encoder.append(std::string(100, 'x'));
  EXPECT_THROW(encoder.finish(), std::runtime_error);
}

}  // namespace
}  // namespace sulcus::io
