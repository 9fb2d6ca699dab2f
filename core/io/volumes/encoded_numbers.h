#pragma once

#include "core/io/volumes/samples.h"

#include <cstdint>
#include <string>
#include <string_view>

// Numbers in XML: as text, base64 or compressed by deflate.
namespace sulcus::io {

/// Reads bytes sequentially from a text, as base64 or verbatim. Base64 may contain white space, and may end
/// ('=') and begin again. Errors name `name`.
class EncodedBytes {
 public:
  EncodedBytes(std::string_view text, bool base64, const std::string& name)
      : rest_(text), base64_(base64), name_(name) {}

  /// The next `count` bytes; throws Error, before anything is allocated, if there cannot be that many.
  std::string take(std::uint64_t count);
  /// The rest of the bytes.
  std::string takeAll();
  /// Upper bound of the number of bytes left.
  std::uint64_t room() const { return pending_.size() + (base64_ ? rest_.size() / 4 * 3 + 3 : rest_.size()); }

 private:
  bool decodeFour();

  std::string_view rest_;
  bool base64_;
  std::string pending_;  // decoded but not yet taken
  const std::string& name_;
};

/// RFC 4648.
std::string base64Of(std::string_view bytes);
/// Decompresses zlib or gzip data to `size` bytes. Throws Error for damaged data, a different size, and sizes
/// that deflate cannot reach.
std::string inflated(std::string_view deflated, std::uint64_t size, const std::string& name);
std::string deflated(std::string_view bytes);

/// The numbers stored in `bytes`, whose size is a multiple of that of a number.
template <class T>
std::vector<T> numbersOf(std::string_view bytes, SampleType type, bool bigEndian) {
  std::vector<T> numbers(bytes.size() / std::size_t(sampleBytes(type)));
  if (!numbers.empty()) detail::convert<T>(type, bytes.data(), bigEndian, {}, numbers);
  return numbers;
}
/// The `count` numbers in a text, separated by white space. Throws Error if there are fewer or more.
template <class T>
std::vector<T> numbersIn(std::string_view text, std::uint64_t count, const std::string& name);

}  // namespace sulcus::io
