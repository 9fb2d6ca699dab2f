#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sulcus::io {

/// How the frames of a DICOM image are compressed.
enum class Codec : std::uint32_t { jpeg, jpegLs, jpeg2000, rle };

/// The header of a compressed frame.
struct CodeStreamHeader {
  std::uint32_t columns = 0, rows = 0, components = 0;
  int bits = 0;           ///< per sample
  bool isSigned = false;  ///< only stated by JPEG 2000
};

/// The header of a JPEG (SOF0, SOF1, SOF3), JPEG-LS (SOF55) or JPEG 2000 (SIZ) code stream; the compressed
/// pixels are not read. nullopt if it is another kind of stream or damaged.
std::optional<CodeStreamHeader> readCodeStreamHeader(Codec codec, std::string_view stream);

/// Whether a DICOM RLE frame (part 5, annex G) consists of `segments` consecutive segments that decode to
/// `pixels` bytes each.
bool rleSegmentsFit(std::string_view stream, std::uint32_t segments, std::uint64_t pixels);

}  // namespace sulcus::io
