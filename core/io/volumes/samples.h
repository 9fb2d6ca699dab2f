#pragma once

#include "core/base/progress.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sulcus::io {

/// The types of numbers in files.
enum class SampleType { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };

/// Calls `use` with a number of the type of C++ that holds those of `type`.
template <class Use>
constexpr auto withNumber(SampleType type, const Use& use) {
  switch (type) {
    case SampleType::u8:
      return use(std::uint8_t());
    case SampleType::i8:
      return use(std::int8_t());
    case SampleType::u16:
      return use(std::uint16_t());
    case SampleType::i16:
      return use(std::int16_t());
    case SampleType::u32:
      return use(std::uint32_t());
    case SampleType::i32:
      return use(std::int32_t());
    case SampleType::u64:
      return use(std::uint64_t());
    case SampleType::i64:
      return use(std::int64_t());
    case SampleType::f32:
      return use(float());
    default:
      return use(double());
  }
}
constexpr int sampleBytes(SampleType type) {
  return withNumber(type, [](auto number) { return int(sizeof number); });
}
/// A note such as "Stored as int16."
inline std::string storedNote(SampleType type) {
  static constexpr const char* kNames[] = {"uint8", "int8",   "uint16", "int16",   "uint32",
                                           "int32", "uint64", "int64",  "float32", "float64"};
  return std::string("Stored as ") + kNames[int(type)] + ".";
}
constexpr bool isFloat(SampleType type) { return type == SampleType::f32 || type == SampleType::f64; }

/// The number at `bytes`, which is byte-swapped if `swap`.
template <class T>
T load(const char* bytes, bool swap) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (swap)
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  return std::bit_cast<T>(raw);
}

/// The scaling of a stored value: value · slope + intercept.
struct Scaling {
  double slope = 1, intercept = 0;
  bool identity() const { return slope == 1 && intercept == 0; }
};

/// How numbers are stored.
struct NumberFormat {
  SampleType type = SampleType::f32;
  bool swapped = false;  ///< in the byte order that this machine does not have
  Scaling scaling = {};
};

namespace detail {

template <class Target>
Target toTarget(double value) {
  if constexpr (std::is_floating_point_v<Target>) {
    // A double beyond the range of float becomes infinity, without undefined behavior.
    if (std::abs(value) > std::numeric_limits<Target>::max() && std::isfinite(value))
      return std::copysign(std::numeric_limits<Target>::infinity(), Target(value > 0 ? 1 : -1));
    return Target(value);
  } else {
    using Limits = std::numeric_limits<Target>;
    if (std::isnan(value)) return 0;
    if (value <= double(Limits::min())) return Limits::min();
    if (value >= double(Limits::max())) return Limits::max();
    return Target(std::nearbyint(value));
  }
}

/// Converts an integer to another type, clamped to its range.
template <class Target, class Source>
Target nearestWhole(Source value) {
  if constexpr (std::is_integral_v<Source> && std::is_integral_v<Target>) {
    using Limits = std::numeric_limits<Target>;
    if (std::cmp_less(value, Limits::min())) return Limits::min();
    if (std::cmp_greater(value, Limits::max())) return Limits::max();
  }
  return Target(value);
}

/// Whether a cast converts every number of Source to Target, rounded if that is floating-point.
template <class Source, class Target>
constexpr bool castsTo() {
  using From = std::numeric_limits<Source>;
  using To = std::numeric_limits<Target>;
  if (std::is_same_v<Target, float>) return !std::is_same_v<Source, double>;
  return From::is_integer && From::digits <= To::digits && From::is_signed <= To::is_signed;
}

template <class Source, class Target>
void convert(const char* bytes, bool swap, const Scaling& scaling, std::span<Target> out) {
  if (scaling.identity() && std::is_same_v<Source, Target> && !swap) {
    std::memcpy(out.data(), bytes, out.size_bytes());
  } else if (scaling.identity() && castsTo<Source, Target>()) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = Target(load<Source>(bytes + i * sizeof(Source), swap));
  } else if (scaling.identity() && std::is_integral_v<Source> && std::is_integral_v<Target>) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = nearestWhole<Target>(load<Source>(bytes + i * sizeof(Source), swap));
  } else {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = toTarget<Target>(double(load<Source>(bytes + i * sizeof(Source), swap)) * scaling.slope +
                                scaling.intercept);
  }
}

template <class Target>
void convert(SampleType type, const char* bytes, bool swap, const Scaling& scaling, std::span<Target> out) {
  withNumber(type, [&](auto source) { convert<decltype(source)>(bytes, swap, scaling, out); });
}

/// Whether the conversion preserved all numbers; NaN may become another number.
template <class Source, class Target>
bool keptAll(const char* bytes, bool swap, std::span<const Target> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto stored = load<Source>(bytes + i * sizeof(Source), swap);
    if constexpr (std::is_integral_v<Source> && std::is_integral_v<Target>) {
      if (!std::cmp_equal(stored, out[i])) return false;
    } else if (double(stored) != double(out[i]) && !std::isnan(double(stored))) {
      return false;
    }
  }
  return true;
}

/// keptAll() for sample types with numbers that Target cannot represent; true for the others.
template <class Target>
bool keptAll(SampleType type, const char* bytes, bool swap, std::span<const Target> out) {
  return withNumber(type, [&]<class Source>(Source) {
    constexpr bool isHeld =
        std::is_floating_point_v<Source> ? std::is_floating_point_v<Target> : sizeof(Source) < 4;
    return isHeld || keptAll<Source, Target>(bytes, swap, out);
  });
}

}  // namespace detail

/// The warning about numbers that readSamples() could not preserve.
template <class Target>
constexpr const char* kRoundedNote =
    std::is_floating_point_v<Target>
        ? kRoundedNumbers
        : "some labels are not whole numbers within ±9223372036854775807 (64 bits), and were rounded or cut.";

/// Reads out.size() numbers, a megabyte at a time, for prompt cancelling. Returns false if numbers without
/// scaling could not be preserved, see kRoundedNote.
template <class Target>
bool readSamples(ByteSource& source, const NumberFormat& format, std::span<Target> out,
                 const Progress& progress) {
  const auto& [type, swapped, scaling] = format;
  const std::size_t block = std::size_t(1 << 20) / sampleBytes(type);
  std::vector<char> bytes(std::min(block, out.size()) * sampleBytes(type));
  bool kept = true;
  for (std::size_t begin = 0; begin < out.size(); begin += block) {
    const std::size_t count = std::min(block, out.size() - begin);
    source.read(std::span(bytes).first(count * sampleBytes(type)));
    const auto part = out.subspan(begin, count);
    detail::convert(type, bytes.data(), swapped, scaling, part);
    kept = kept && (!scaling.identity() ||
                    detail::keptAll(type, bytes.data(), swapped, std::span<const Target>(part)));
    progress.update(double(begin + count) / double(out.size()));
  }
  return kept;
}

}  // namespace sulcus::io
