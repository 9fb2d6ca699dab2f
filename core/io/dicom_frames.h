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

/// The values that order the images at one position of a series, the most important first.
struct DicomOrder {
  std::optional<double> instance;  ///< instance number, or the number of the frame in its file
  double acquisition = 0;          ///< acquisition number
  std::string time;                ///< of the acquisition, as a text that sorts by time
  double temporalPosition = 0, echo = 0, echoTime = 0;
  std::optional<double> bValue;

  auto operator<=>(const DicomOrder&) const = default;
};

/// A picture, or the volume of a file with several pictures, and its place in the series.
struct DicomFrame {
  std::filesystem::path file;
  Grid grid;  ///< mm, RAS+; size.z is 1 except for volumes
  std::vector<float> values;
  SampleType type = SampleType::i16;  ///< type of the stored numbers
  DicomOrder order;
  double repetitionSeconds = 0;
  std::optional<Gradient> gradient;
  std::vector<std::string> missing;  ///< names of the parts of its geometry that the header lacks
  bool thicknessKnown = true;
  /// Values that all images of a series share, by their names in words, such as the modality and the frame of
  /// reference, when the header has them.
  std::map<std::string, std::string> shared;
  std::string imageType;
  std::vector<std::string> notes;
};

/// The frames of one file as volumes, by their order at each position. Throws Error where stackFrames() does.
std::vector<DicomFrame> joinFrames(std::vector<DicomFrame> frames);

/// Stacks the frames of a series into volumes, ordered by the position along the slice normal and then by
/// DicomOrder. Throws Error when the images at one position cannot be ordered, when slices are missing,
/// doubled, unevenly spaced, shifted, not parallel or of different modalities, and when their positions are
/// not known. A single picture without a position gets a warning instead.
RawImage stackFrames(std::vector<DicomFrame> frames);

}  // namespace sulcus::io
