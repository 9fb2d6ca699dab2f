#pragma once

#include "core/io/raw_image.h"
#include "core/io/samples.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// A picture, or the volume of a file that holds several, and what places it in its series.
struct DicomFrame {
  std::filesystem::path file;
  Grid grid;  ///< RAS+ mm; size.z is 1 but for volumes
  std::vector<float> values;
  SampleType type = SampleType::i16;  ///< of the stored numbers
  double instance = 0;                ///< number within the series, or of the frame within its file
  double repetitionSeconds = 0;
  std::optional<Gradient> gradient;
  std::vector<std::string> missing;  ///< what of its geometry the header does not give, in words
  bool thicknessKnown = true;
  std::vector<std::string> notes;
};

/// The frames of one file as one volume. Throws Error where they are several volumes, and what stackFrames()
/// throws.
DicomFrame joinFrames(std::vector<DicomFrame> frames);

/// Stacks the frames of a series into volumes: by position along the slice normal, then by instance number.
/// Throws Error when slices are missing, doubled, unevenly spaced, shifted or not parallel, and when it is
/// not known where they lie; a single picture of which that is not known gets a warning instead.
RawImage stackFrames(std::vector<DicomFrame> frames);

}  // namespace sulcus::io
