#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>

struct inflate_state;

namespace sulcus::io {

/// Why compressed data make no sense, or that they are cut off.
struct InflateFault : std::runtime_error {
  InflateFault(const char* why, bool isCut) : std::runtime_error(why), isCut(isCut) {}
  bool isCut;
};

/// Decompresses gzip or zlib data, whichever they begin as, and compares their checksums.
class Inflater {
 public:
  /// Fills its argument from the front and returns how many bytes there were, 0 at the end.
  using Pull = std::function<std::size_t(std::span<char>)>;
  /// What may follow the end of the data: anything, ignored, or further members of gzip, which are
  /// decompressed, too; anything else is left alone.
  enum class After { nothing, members };

  Inflater(Pull pull, After after);
  ~Inflater();

  /// Reads as many bytes of `to` as there are, and returns how many. Throws InflateFault.
  std::size_t readSome(std::span<char> to);

 private:
  bool fill(std::size_t least);
  void begin(bool isGzip);
  bool isGzipNext();

  Pull pull_;
  After after_;
  std::unique_ptr<inflate_state> state_;
  std::unique_ptr<char[]> in_;  ///< what was pulled
  bool begun_ = false, ended_ = false;
};

/// Whether bytes begin as gzip does.
bool isGzip(std::span<const char> begin);

}  // namespace sulcus::io
