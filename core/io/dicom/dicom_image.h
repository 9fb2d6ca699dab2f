#pragma once

#include "core/base/note.h"
#include "core/io/dicom/dicom_decoder.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/volumes/samples.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// Type and number of the pixels of a DICOM image, from a consistent header.
struct DicomImage {
  int columns = 0, rows = 0, frames = 1;
  int bitsAllocated = 0, bitsStored = 0, highBit = 0;
  SampleType type = SampleType::i16;
  std::optional<Codec> codec;  ///< nullopt if the frames are not compressed
  bool colors = false;         ///< three numbers per pixel: red, green and blue
  Notes notes;

  std::uint64_t pixels() const { return std::uint64_t(columns) * rows; }
  std::uint64_t frameBytes() const { return pixels() * sampleBytes(type) * (colors ? 3 : 1); }
};

/// The image that a header describes. Throws Error for colors other than plain red, green and blue, for sizes
/// and types that contradict each other or the length of the pixel data, and for unknown compressions.
DicomImage dicomImageOf(const DicomHeader& header, const std::filesystem::path& file);

/// The numbers of a frame as they are stored, columns × rows, x fastest, in the byte order of this machine.
using TakeFrame = std::function<void(std::span<const char> numbers)>;

/// Throws Error if `codedBytes` of code streams are too few for the image that the header describes.
void requirePlausibleCompression(const DicomImage& image, std::uint64_t codedBytes,
                                 const std::filesystem::path& file);

/// What was found while reading frames.
struct FramesRead {
  bool asStored =
      true;  ///< the file has the same bits: a reader that ignores Bits Stored reads the same values
  bool otherSign = false;  ///< a code stream contradicts the header on whether numbers are signed
};

/// What is done with frames.
struct FrameHandlers {
  const DecodeFrame& decode;  ///< may be empty unless they are compressed
  const TakeFrame& take;
};

/// Reads the frames, starting at the first byte of the pixels, and passes each to `take`. Code streams are
/// checked against the header before they are decoded. Throws Error and Cancelled.
FramesRead readDicomFrames(ByteSource& source, const std::filesystem::path& file, const DicomHeader& header,
                           const DicomImage& image, const FrameHandlers& handlers, const Progress& progress);

}  // namespace sulcus::io
