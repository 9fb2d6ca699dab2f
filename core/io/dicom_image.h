#pragma once

#include "core/io/dicom_decoder.h"
#include "core/io/dicom_elements.h"
#include "core/io/samples.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// What the numbers of a DICOM image are, once its header does not contradict itself.
struct DicomImage {
  int columns = 0, rows = 0, frames = 1;
  int bitsAllocated = 0, bitsStored = 0, highBit = 0;
  SampleType type = SampleType::i16;
  std::optional<Codec> codec;  ///< none: stored plainly
  std::vector<std::string> notes;

  std::uint64_t pixels() const { return std::uint64_t(columns) * rows; }
  std::uint64_t frameBytes() const { return pixels() * sampleBytes(type); }
};

/// Throws Error for color images, for sizes and types that contradict each other or the length of the pixels,
/// and for compression that cannot be undone.
DicomImage dicomImageOf(const DicomHeader& header, const std::filesystem::path& file);

/// Reads the frames from the first byte of the pixels on and hands each, scaled by `scalings` (one per
/// frame), to `take`. Code streams are checked against the header before `decode` gets them. Throws Error,
/// Cancelled.
void readDicomFrames(ByteSource& source, const std::filesystem::path& file, const DicomHeader& header,
                     const DicomImage& image, const std::vector<Scaling>& scalings, const DecodeFrame& decode,
                     const std::function<void(std::vector<float>)>& take, const Progress& progress);

}  // namespace sulcus::io
