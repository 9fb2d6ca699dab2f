#pragma once

#include "core/io/streams/inflater.h"

#include <cstddef>
#include <functional>
#include <span>

// Decompression of whole files that are bzip2 or Zstandard, not gzip, each by its library.
namespace sulcus::io {

/// Fills its argument from the front with decompressed bytes and returns their number, 0 at the end. Throws
/// InflateFault.
using Unpack = std::function<std::size_t(std::span<char>)>;

/// The decompressor for a file that begins with `begin`, which takes its bytes from `pull`; empty for a file
/// that is neither bzip2 nor Zstandard. Several consecutive streams are one file, as parallel compressors
/// write them.
Unpack unpackerOf(std::span<const char> begin, Inflater::Pull pull);

}  // namespace sulcus::io
