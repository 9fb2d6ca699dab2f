#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sulcus::io {

/// How the frames of a DICOM image are compressed.
enum class Codec : std::uint32_t { jpeg, jpegLs, jpeg2000, rle };

/// What the header of a compressed frame says of it.
struct CodeStreamHeader {
  std::uint32_t columns = 0, rows = 0, components = 0;
  int bits = 0;           ///< of one sample
  bool isSigned = false;  ///< only JPEG 2000 says so
};

/// Reads the header of a JPEG (SOF0, SOF1, SOF3), JPEG-LS (SOF55) or JPEG 2000 (SIZ) code stream; nothing of
/// the picture itself is looked at. None: it is no such code stream, or is damaged.
std::optional<CodeStreamHeader> readCodeStreamHeader(Codec codec, std::string_view stream);

/// Whether a DICOM RLE frame (part 5, annex G) has so many segments, one behind the other, of `pixels` bytes
/// each once they are decoded.
bool rleSegmentsFit(std::string_view stream, std::uint32_t segments, std::uint64_t pixels);

}  // namespace sulcus::io
