#pragma once

#include "core/base/progress.h"
#include "core/io/dicom/guarded_child.h"
#include "core/io/streams/code_stream.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace sulcus::io {

/// A request to decode one compressed frame: the type of its numbers and its size, on which the DICOM header
/// and the code stream agree. It is sent to the decoder and followed by the code stream.
struct CodedFrame {
  static constexpr std::uint32_t kMark = 0x53444346;
  std::uint32_t mark = kMark;
  Codec codec = Codec::jpeg;
  std::uint32_t columns = 0, rows = 0, bitsAllocated = 0, bitsStored = 0, isSigned = 0, unused = 0;
  std::uint64_t codedBytes = 0;

  std::uint64_t decodedBytes() const { return std::uint64_t(columns) * rows * (bitsAllocated / 8); }
  /// The longest time that decoding may take, in seconds of processor time and by the clock.
  double mostSeconds() const { return 30 + 4e-6 * double(columns) * rows; }
};
/// The answer of the decoder, which is followed by the numbers.
struct DecodedFrame {
  static constexpr std::uint32_t kMark = 0x53444446;
  std::uint32_t mark = kMark;
  std::uint32_t done = 0;  ///< 0 if the frame cannot be decoded; no numbers follow then
  std::uint64_t bytes = 0;
};

/// A function that decodes the code stream of a frame into `numbers`, CodedFrame::decodedBytes() bytes in
/// this machine's byte order. `file` is named in errors.
using DecodeFrame =
    std::function<void(const std::filesystem::path& file, const CodedFrame& frame,
                       std::span<const char> stream, std::span<char> numbers, const Progress& progress)>;

/// Decodes frames in a guarded child, which is started for the first frame.
class DicomDecoder {
 public:
  DicomDecoder() = default;
  /// Uses `program` instead of the sulcus-dicom next to this program.
  explicit DicomDecoder(std::filesystem::path program) : child_(std::move(program)) {}

  /// Decodes a frame, see DecodeFrame. Throws Error if the frame cannot be decoded or the decoder crashes,
  /// gives no valid answer, takes too long, or is missing. Throws Cancelled within a twentieth of a second.
  void decode(const std::filesystem::path& file, const CodedFrame& frame, std::span<const char> stream,
              std::span<char> numbers, const Progress& progress);

 private:
  GuardedChild child_;
};

}  // namespace sulcus::io
