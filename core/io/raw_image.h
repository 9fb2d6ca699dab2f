#pragma once

#include "core/image/field_convention.h"
#include "core/image/gradients.h"
#include "core/image/volume.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sulcus::io {

/// How the numbers of a file are to be read: as measurements, or exactly as whole numbers.
enum class ReadAs { measurements, labels };

/// What a format's reader hands over: numbers and geometry (RAS+ mm), before it is decided what kind of layer
/// it is.
struct RawImage {
  Series<float> series;                               ///< filled for ReadAs::measurements
  std::optional<Volume<std::int32_t>> labels;         ///< filled for labels
  bool storedAsFloat = false;                         ///< the numbers on disk are floating point
  bool displacement = false;                          ///< three volumes: u(x) in mm, already RAS+
  FieldConvention convention = FieldConvention::itk;  ///< by which a displacement was read
  double secondsPerVolume = 0;
  GradientTable gradients;         ///< where the header itself carries them
  std::vector<std::string> notes;  ///< orientation card
};

}  // namespace sulcus::io
