#include "core/io/volumes/encoded_numbers.h"

#include "core/base/error.h"
#include "core/io/surfaces/mesh_files.h"

#include <charconv>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>

#include <zlib.h>

namespace sulcus::io {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
// Deflate cannot compress by more than 1032:1; the margin is for very small data.
constexpr std::uint64_t kLargestRatio = 1100;

constexpr std::array<signed char, 256> valuesOfDigits() {
  std::array<signed char, 256> values{};
  for (auto& value : values) value = -1;
  for (int i = 0; i < 64; ++i) values[static_cast<unsigned char>(kDigits[i])] = static_cast<signed char>(i);
  return values;
}

}  // namespace

bool EncodedBytes::decodeFour() {
  static constexpr auto values = valuesOfDigits();
  std::uint32_t bits = 0;
  int digits = 0, padding = 0;
  while (digits + padding < 4) {
    if (rest_.empty()) {
      if (digits + padding == 0) return false;
      failMesh(name_, "its base64 ends within a number");
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    if (c == '=' && digits >= 2) {
      ++padding;
      continue;
    }
    const int value = values[static_cast<unsigned char>(c)];
    if (value < 0 || padding > 0) failMesh(name_, "its base64 contains an invalid character");
    bits = bits << 6 | std::uint32_t(value);
    ++digits;
  }
  bits <<= 6 * padding;
  for (int i = 0; i < 3 - padding; ++i) pending_ += char(bits >> (16 - 8 * i) & 255);
  return true;
}

std::string EncodedBytes::take(std::uint64_t count) {
  const auto fail = [&] { failMesh(name_, "an array ends before all of its numbers"); };
  if (count > room()) fail();
  if (!base64_) {
    std::string bytes(rest_.substr(0, std::size_t(count)));
    rest_.remove_prefix(std::size_t(count));
    return bytes;
  }
  pending_.reserve(std::size_t(count) + 2);
  while (pending_.size() < count)
    if (!decodeFour()) fail();
  std::string bytes = std::move(pending_);
  pending_ = bytes.substr(std::size_t(count));
  bytes.resize(std::size_t(count));
  return bytes;
}

std::string EncodedBytes::takeAll() {
  if (!base64_) return take(rest_.size());
  pending_.reserve(std::size_t(room()));
  while (decodeFour()) {
  }
  return std::exchange(pending_, {});
}

std::string base64Of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= have ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string inflated(std::string_view deflated, std::uint64_t size, const std::string& name) {
  if (size / kLargestRatio > deflated.size() + 1)
    failMesh(name, std::to_string(size) + " bytes do not fit into " + std::to_string(deflated.size()) +
                       " of compressed data");
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) throw std::bad_alloc();  // zlib or gzip
  const struct Ender {
    z_stream& stream;
    ~Ender() { inflateEnd(&stream); }
  } ender{stream};
  std::string bytes(std::size_t(size) + 1, '\0');  // one more byte, to detect excess data
  constexpr std::size_t kMost = std::size_t(1) << 30;
  std::size_t in = 0, out = 0;
  int code = Z_OK;
  while (code == Z_OK) {
    const std::size_t give = std::min(kMost, deflated.size() - in),
                      have = std::min(kMost, bytes.size() - out);
    if (have == 0) break;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data() + in));
    stream.avail_in = uInt(give);
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + out);
    stream.avail_out = uInt(have);
    code = inflate(&stream, Z_NO_FLUSH);
    in += give - stream.avail_in;
    out += have - stream.avail_out;
  }
  if (code != Z_STREAM_END || out != size) failMesh(name, "the compressed data of an array are damaged");
  bytes.resize(std::size_t(size));
  return bytes;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(uLong(bytes.size()));
  std::string result(size, '\0');
  if (compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
               uLong(bytes.size())) != Z_OK)
    throw std::bad_alloc();
  result.resize(size);
  return result;
}

template <class T>
std::vector<T> numbersIn(std::string_view text, std::uint64_t count, const std::string& name) {
  if (count > (text.size() + 1) / 2) failMesh(name, "an array ends before all of its numbers");
  std::vector<T> numbers;
  numbers.reserve(std::size_t(count));
  Words words(text, name);
  const auto number = [&] {
    if constexpr (std::is_integral_v<T>) {
      // A double rounds integers of more than 53 bits.
      Words ahead = words;
      const std::string_view word = ahead.next();
      T whole{};
      const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), whole);
      if (fault == std::errc() && end == word.data() + word.size() && !word.empty()) {
        words = ahead;
        return whole;
      }
    }
    return detail::toTarget<T>(words.number());
  };
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(number());
  if (!words.next().empty()) failMesh(name, "an array has more numbers than it declares");
  return numbers;
}
template std::vector<double> numbersIn(std::string_view, std::uint64_t, const std::string&);
template std::vector<float> numbersIn(std::string_view, std::uint64_t, const std::string&);
template std::vector<std::int32_t> numbersIn(std::string_view, std::uint64_t, const std::string&);
template std::vector<std::int64_t> numbersIn(std::string_view, std::uint64_t, const std::string&);

}  // namespace sulcus::io
