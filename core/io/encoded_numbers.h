#pragma once

#include "core/io/samples.h"

#include <cstdint>
#include <string>
#include <string_view>

// Numbers inside of XML: base64, deflate.
namespace sulcus::io {

/// Bytes that stand in a text as base64 or as they are, taken from front to back. Base64 may be interrupted
/// by white space, and end ('=') and begin again. Errors name `name`.
class EncodedBytes {
 public:
  EncodedBytes(std::string_view text, bool base64, const std::string& name)
      : rest_(text), base64_(base64), name_(name) {}

  /// The next `count`; throws Error, before anything is allocated, when there cannot be as many.
  std::string take(std::uint64_t count);
  /// All that is left.
  std::string takeAll();
  /// Most that take() may give.
  std::uint64_t room() const { return pending_.size() + (base64_ ? rest_.size() / 4 * 3 + 3 : rest_.size()); }

 private:
  bool decodeFour();

  std::string_view rest_;
  bool base64_;
  std::string pending_;  // decoded, not yet taken
  const std::string& name_;
};

std::string base64Of(std::string_view bytes);
/// What zlib or gzip data stand for: exactly `size` bytes. Throws Error for damage, another size, and sizes
/// that deflate cannot reach.
std::string inflated(std::string_view deflated, std::uint64_t size, const std::string& name);
std::string deflated(std::string_view bytes);

/// The numbers of `bytes`, which holds a whole number of them.
template <class T>
std::vector<T> numbersOf(std::string_view bytes, SampleType type, bool bigEndian) {
  std::vector<T> numbers(bytes.size() / std::size_t(sampleBytes(type)));
  if (!numbers.empty()) detail::convert<T>(type, bytes.data(), bigEndian, {}, numbers);
  return numbers;
}
/// `count` numbers in words; throws Error when there are fewer or more.
template <class T>
std::vector<T> numbersIn(std::string_view text, std::uint64_t count, const std::string& name);

}  // namespace sulcus::io
