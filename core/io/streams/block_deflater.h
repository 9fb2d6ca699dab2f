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
/// The bytes are cut into blocks of a megabyte. Each block is compressed by itself and ended at a whole byte,
/// so that the blocks make one deflate stream that every reader takes (RFC 1951). The result depends neither
/// on the number of threads nor on the sizes of the pieces that were appended.
class BlockDeflater {
 public:
  enum class Wrapper { gzip, zlib };  ///< RFC 1952 and RFC 1950
  /// Takes the next compressed bytes in order, on the thread that appends. Its exceptions pass through.
  using Write = std::function<void(std::span<const char>)>;

  /// So many bytes are compressed together, which keeps many threads busy and can be cancelled soon. Pieces
  /// of this size are hardly copied.
  static constexpr std::size_t kTogether = std::size_t(16) << 20;

  BlockDeflater(Wrapper wrapper, Write write);

  void append(std::span<const char> bytes);
  /// Is called after the last byte. Compresses the rest and writes the checksum.
  void finish();

 private:
  /// A block as deflate blocks that end at a whole byte, none of which is marked as the last of the stream.
  struct Compressed {
    void take(std::span<const char> block);

    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
    std::unique_ptr<std::uint8_t[]> memory;  ///< what the compressor works in
  };

  /// Compresses the pending bytes and those that follow, which are whole blocks where any follow.
  void compress(std::span<const char> following);

  Wrapper wrapper_;
  Write write_;
  std::vector<char> pending_;
  std::vector<Compressed> compressed_;  ///< reused: the system would clear newly allocated memory
  std::uint32_t checksum_;
  std::uint64_t size_ = 0;
};

}  // namespace sulcus::io
