#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>

struct inflate_state;

namespace sulcus::io {

/// Why compressed data is invalid, or that it is truncated.
struct InflateFault : std::runtime_error {
  InflateFault(const char* why, bool isCut) : std::runtime_error(why), isCut(isCut) {}
  bool isCut;
};

/// Decompresses gzip or zlib data, detected by their header, and compares their checksums.
class Inflater {
 public:
  /// Fills its argument from the front and returns the number of bytes, 0 at the end.
  using Pull = std::function<std::size_t(std::span<char>)>;
  /// What may follow the end of the data: anything, which is ignored, or further gzip members, which are
  /// decompressed, too; anything else is ignored.
  enum class After { nothing, members };

  Inflater(Pull pull, After after);
  ~Inflater();

  /// Reads as many bytes of `to` as available and returns their number. Throws InflateFault.
  std::size_t readSome(std::span<char> to);

 private:
  bool fill(std::size_t least);
  void begin(bool isGzip);
  bool isGzipNext();

  Pull pull_;
  After after_;
  std::unique_ptr<inflate_state> state_;
  std::unique_ptr<char[]> in_;  ///< bytes that were pulled
  bool begun_ = false, ended_ = false;
};

/// Whether data begins with the signature of gzip.
bool isGzip(std::span<const char> begin);

}  // namespace sulcus::io
