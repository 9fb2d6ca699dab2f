#pragma once

#include "core/io/raw_image.h"
#include "core/io/samples.h"

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// What tells apart the images at one place of a series, in the order in which it decides.
struct DicomOrder {
  std::optional<double> instance;  ///< number within the series, or of the frame within its file
  double acquisition = 0;          ///< its number
  std::string time;                ///< of the acquisition; sorts as text
  double temporalPosition = 0, echo = 0, echoTime = 0;
  std::optional<double> bValue;

  auto operator<=>(const DicomOrder&) const = default;
};

/// A picture, or the volume of a file that holds several, and what places it in its series.
struct DicomFrame {
  std::filesystem::path file;
  Grid grid;  ///< RAS+ mm; size.z is 1 but for volumes
  std::vector<float> values;
  SampleType type = SampleType::i16;  ///< of the stored numbers
  DicomOrder order;
  double repetitionSeconds = 0;
  std::optional<Gradient> gradient;
  std::vector<std::string> missing;  ///< what of its geometry the header does not give, in words
  bool thicknessKnown = true;
  /// What all images of a series share, where the header gives it: modality, frame of reference and so on, in
  /// words, with their values.
  std::map<std::string, std::string> shared;
  std::string imageType;
  std::vector<std::string> notes;
};

/// The frames of one file as one volume. Throws Error where they are several volumes, and what stackFrames()
/// throws.
DicomFrame joinFrames(std::vector<DicomFrame> frames);

/// Stacks the frames of a series into volumes: by position along the slice normal, then by DicomOrder.
/// Throws Error when nothing tells the images at one position apart, when slices are missing, doubled,
/// unevenly spaced, shifted, not parallel or of different modalities, and when it is not known where they
/// lie; a single picture of which that is not known gets a warning instead.
RawImage stackFrames(std::vector<DicomFrame> frames);

}  // namespace sulcus::io
