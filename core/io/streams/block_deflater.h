#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace sulcus::io {

/// Compresses the bytes that are appended into one stream, on all threads.
///
/// The bytes are split into blocks of one megabyte. Each block is compressed independently and ends at a byte
/// boundary, so that the blocks form one deflate stream that every reader accepts (RFC 1951). The result
/// depends neither on the number of threads nor on the sizes of the appended pieces.
class BlockDeflater {
 public:
  enum class Wrapper { gzip, zlib };  ///< RFC 1952 and RFC 1950
  /// Receives the compressed bytes in order, on the appending thread. Its exceptions are passed on.
  using Write = std::function<void(std::span<const char>)>;

  /// Bytes that are compressed together: enough to keep many threads busy, few enough for prompt cancelling.
  /// Pieces of this size are hardly copied.
  static constexpr std::size_t kTogether = std::size_t(16) << 20;

  BlockDeflater(Wrapper wrapper, Write write);

  void append(std::span<const char> bytes);
  /// Must be called after the last byte. Compresses the rest and writes the checksum.
  void finish();

 private:
  /// Deflate blocks that end at a byte boundary, none of them marked as the last of the stream.
  struct Compressed {
    void take(std::span<const char> block);

    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
    std::unique_ptr<std::uint8_t[]> memory;  ///< working memory of the compressor
  };

  /// Compresses the pending bytes and `following`, which consists of whole blocks if not empty.
  void compress(std::span<const char> following);

  Wrapper wrapper_;
  Write write_;
  std::vector<char> pending_;
  std::vector<Compressed> compressed_;  ///< reused, since the system would clear newly allocated memory
  std::uint32_t checksum_;
  std::uint64_t size_ = 0;
};

}  // namespace sulcus::io
