#pragma once

#include "core/io/raw_image.h"
#include "core/io/samples.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// The image of one DICOM file and what places it in its series.
struct DicomFrame {
  std::filesystem::path file;
  Grid grid;  ///< RAS+ mm; size.z is 1 but for multi-frame files
  std::vector<float> values;
  SampleType type = SampleType::i16;  ///< of the stored numbers
  double instance = 0;                ///< number within the series
  double repetitionSeconds = 0;
  std::optional<Gradient> gradient;
  std::string description;  ///< of the series
};

/// Stacks the frames of a series into volumes: by position along the slice normal, then by instance number.
/// Throws Error when slices are missing, doubled, unevenly spaced or not parallel.
RawImage stackFrames(std::vector<DicomFrame> frames);

}  // namespace sulcus::io
