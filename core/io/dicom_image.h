#pragma once

#include "core/io/dicom_decoder.h"
#include "core/io/dicom_elements.h"
#include "core/io/samples.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// The type and the number of the pixels of a DICOM image, from a header that does not contradict itself.
struct DicomImage {
  int columns = 0, rows = 0, frames = 1;
  int bitsAllocated = 0, bitsStored = 0, highBit = 0;
  SampleType type = SampleType::i16;
  std::optional<Codec> codec;  ///< nullopt when the frames are not compressed
  std::vector<std::string> notes;

  std::uint64_t pixels() const { return std::uint64_t(columns) * rows; }
  std::uint64_t frameBytes() const { return pixels() * sampleBytes(type); }
};

/// The image that a header describes. Throws Error for color images, for sizes and types that contradict each
/// other or the length of the pixels, and for unknown compressions.
DicomImage dicomImageOf(const DicomHeader& header, const std::filesystem::path& file);

/// Reads the frames from the first byte of the pixels on and gives each to `take`: columns × rows values, x
/// fastest, scaled by the frame's entry in `scalings`. Code streams are checked against the header before
/// they are decoded. Throws Error and Cancelled.
void readDicomFrames(ByteSource& source, const std::filesystem::path& file, const DicomHeader& header,
                     const DicomImage& image, const std::vector<Scaling>& scalings, const DecodeFrame& decode,
                     const std::function<void(std::vector<float>)>& take, const Progress& progress);

}  // namespace sulcus::io
