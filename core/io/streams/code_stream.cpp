#include "core/io/streams/code_stream.h"

#include "core/io/volumes/samples.h"

#include <utility>

namespace sulcus::io {
namespace {

/// Reads big-endian numbers sequentially and stops at the end of the stream.
class Cursor {
 public:
  explicit Cursor(std::string_view stream) : left_(stream) {}
  template <class T>
  T next() {
    if (left_.size() < sizeof(T)) {
      whole_ = false;
      return 0;
    }
    const T value = load<T>(left_.data(), std::endian::native == std::endian::little);
    left_.remove_prefix(sizeof(T));
    return value;
  }
  void skip(std::size_t count) {
    whole_ = whole_ && count <= left_.size();
    left_.remove_prefix(std::min(count, left_.size()));
  }
  bool whole() const { return whole_; }

 private:
  std::string_view left_;
  bool whole_ = true;
};

/// Reads a marker after any fill bytes.
std::uint16_t nextMarker(Cursor& in) {
  std::uint16_t marker = in.next<std::uint16_t>();
  while (marker == 0xffff && in.whole()) marker = std::uint16_t(0xff00 | in.next<std::uint8_t>());
  return marker;
}

bool beginsFrame(std::uint16_t marker, bool ls) {
  return ls ? marker == 0xfff7 : marker == 0xffc0 || marker == 0xffc1 || marker == 0xffc3;
}

/// Whether a segment holds tables, a comment or application data.
bool maySkip(std::uint16_t marker) {
  return marker == 0xffc4 || marker == 0xffcc || marker == 0xffdb || marker == 0xffdd ||
         (marker >= 0xffe0 && marker <= 0xffef) || marker == 0xfff8 || marker == 0xfffe;
}

std::optional<CodeStreamHeader> frameHeader(Cursor& in, std::uint16_t length) {
  CodeStreamHeader header;
  header.bits = in.next<std::uint8_t>();
  header.rows = in.next<std::uint16_t>();
  header.columns = in.next<std::uint16_t>();
  header.components = in.next<std::uint8_t>();
  if (!in.whole() || length != 8 + 3 * header.components) return {};
  return header;
}

/// The frame header among the marker segments before the scan (ISO 10918-1, B.2.2 and ISO 14495-1, C.2.2).
std::optional<CodeStreamHeader> jpegHeader(std::string_view stream, bool ls) {
  Cursor in(stream);
  if (in.next<std::uint16_t>() != 0xffd8) return {};
  while (in.whole()) {
    const std::uint16_t marker = nextMarker(in), length = in.next<std::uint16_t>();
    if (beginsFrame(marker, ls)) return frameHeader(in, length);
    if (!maySkip(marker) || length < 2) return {};  // another kind of frame, or a scan
    in.skip(length - 2u);
  }
  return {};
}

/// The SIZ segment, which comes first after the start of the stream (ISO 15444-1, A.5.1).
std::optional<CodeStreamHeader> jpeg2000Header(std::string_view stream) {
  Cursor in(stream);
  if (in.next<std::uint32_t>() != 0xff4fff51) return {};
  const std::uint16_t length = in.next<std::uint16_t>();
  in.next<std::uint16_t>();  // capabilities
  std::uint32_t extent[2], offset[2], tile[2], tileOffset[2];
  for (auto* pair : {extent, offset, tile, tileOffset})
    for (int axis = 0; axis < 2; ++axis) pair[axis] = in.next<std::uint32_t>();
  CodeStreamHeader header;
  header.components = in.next<std::uint16_t>();
  const std::uint8_t depth = in.next<std::uint8_t>(), across = in.next<std::uint8_t>(),
                     down = in.next<std::uint8_t>();
  if (!in.whole() || length != 38 + 3 * header.components || across != 1 || down != 1) return {};
  for (int axis = 0; axis < 2; ++axis)
    if (extent[axis] <= offset[axis] || tile[axis] == 0 || tileOffset[axis] > offset[axis] ||
        std::uint64_t(tile[axis]) + tileOffset[axis] <= offset[axis])
      return {};
  header.columns = extent[0] - offset[0];
  header.rows = extent[1] - offset[1];
  header.bits = (depth & 0x7f) + 1;
  header.isSigned = (depth & 0x80) != 0;
  return header;
}

/// Whether the runs of a segment (G.3.1) decode to `bytes` bytes, apart from the padding to an even length.
bool runsGive(std::string_view segment, std::uint64_t bytes) {
  std::uint64_t given = 0;
  std::size_t at = 0;
  while (given < bytes && at < segment.size()) {
    const int run = std::int8_t(segment[at]);
    // The bytes of the run, and those that it stands for: as they are, nothing, or one byte repeated.
    std::pair<std::size_t, std::uint64_t> counts{2, 1 - run};
    if (run >= 0) counts = {std::size_t(run) + 2, std::uint64_t(run) + 1};
    if (run == -128) counts = {1, 0};
    if (counts.first > segment.size() - at) return false;
    at += counts.first;
    given += counts.second;
  }
  return given == bytes && segment.size() - at <= 2;
}

}  // namespace

std::optional<CodeStreamHeader> readCodeStreamHeader(Codec codec, std::string_view stream) {
  switch (codec) {
    case Codec::jpeg:
      return jpegHeader(stream, false);
    case Codec::jpegLs:
      return jpegHeader(stream, true);
    case Codec::jpeg2000:
      return jpeg2000Header(stream);
    case Codec::rle:
      break;  // the size is not stated
  }
  return {};
}

bool rleSegmentsFit(std::string_view stream, std::uint32_t segments, std::uint64_t pixels) {
  constexpr std::size_t kHeaderBytes = 64, kMostSegments = 15;
  if (stream.size() < kHeaderBytes || segments > kMostSegments) return false;
  const auto number = [&](std::size_t i) { return load<std::uint32_t>(stream.data() + 4 * i, false); };
  if (number(0) != segments || number(1) != kHeaderBytes) return false;
  for (std::uint32_t i = 1; i <= segments; ++i) {
    const std::size_t begin = number(i), end = i < segments ? number(i + 1) : stream.size();
    if (end < begin || end > stream.size()) return false;
    if (!runsGive(stream.substr(begin, end - begin), pixels)) return false;
  }
  return true;
}

}  // namespace sulcus::io
