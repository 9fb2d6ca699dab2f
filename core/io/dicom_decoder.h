#pragma once

#include "core/base/progress.h"
#include "core/io/code_stream.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include <sys/types.h>

namespace sulcus::io {

/// One compressed frame, to be decoded: its type of numbers and its size, as the DICOM header and the code
/// stream agree on. What travels to the decoder, followed by the code stream.
struct CodedFrame {
  static constexpr std::uint32_t kMark = 0x53444346;
  std::uint32_t mark = kMark;
  Codec codec = Codec::jpeg;
  std::uint32_t columns = 0, rows = 0, bitsAllocated = 0, bitsStored = 0, isSigned = 0, unused = 0;
  std::uint64_t codedBytes = 0;

  std::uint64_t decodedBytes() const { return std::uint64_t(columns) * rows * (bitsAllocated / 8); }
  /// What the longest decoding may take, s; of processor time as well as by the clock.
  double mostSeconds() const { return 30 + 4e-6 * double(columns) * rows; }
};
/// What the decoder answers, followed by the numbers.
struct DecodedFrame {
  static constexpr std::uint32_t kMark = 0x53444446;
  std::uint32_t mark = kMark;
  std::uint32_t done = 0;  ///< 0: it cannot be decoded, and no numbers follow
  std::uint64_t bytes = 0;
};

/// Fills `numbers` (CodedFrame::decodedBytes(), in this machine's byte order) from the code stream of a file.
using DecodeFrame =
    std::function<void(const std::filesystem::path& file, const CodedFrame& frame,
                       std::span<const char> stream, std::span<char> numbers, const Progress& progress)>;

/// Decodes frames in a process of its own, which has limits on memory and time and knows no file: whatever a
/// damaged code stream does to the libraries that decode it ends there. It is started with the first frame
/// and ended with this object.
class DicomDecoder {
 public:
  DicomDecoder() = default;
  /// Uses another program than sulcus-dicom beside this one.
  explicit DicomDecoder(std::filesystem::path program) : program_(std::move(program)) {}
  ~DicomDecoder();
  DicomDecoder(const DicomDecoder&) = delete;
  DicomDecoder& operator=(const DicomDecoder&) = delete;

  /// See DecodeFrame. Throws Error when the frame cannot be decoded, when the decoder dies, answers nonsense
  /// or takes too long, and when it is not there; Cancelled within a twentieth of a second.
  void decode(const std::filesystem::path& file, const CodedFrame& frame, std::span<const char> stream,
              std::span<char> numbers, const Progress& progress);

 private:
  void start();
  void end();

  std::filesystem::path program_;
  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace sulcus::io
