#pragma once

#include "core/base/note.h"
#include "core/image/diffusion/gradients.h"
#include "core/image/grids/field_convention.h"
#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sulcus::io {

/// How the numbers of a file are read: measurements as float, labels exactly as integers.
enum class ReadAs { measurements, labels };

/// The numbers and the geometry (mm, RAS+) returned by a reader, before the kind of layer is decided.
struct RawImage {
  Series<float> series;                 ///< with ReadAs::measurements
  std::optional<Volume<Label>> labels;  ///< with ReadAs::labels
  bool storedAsFloat = false;           ///< the numbers on disk are floating point
  bool displacement = false;            ///< the three volumes are u(x) in mm, RAS+
  bool colors = false;                  ///< the three or four volumes are color channels, see
                                        ///< VolumeLayer::colors
  bool tensor = false;                  ///< the six volumes are a tensor, see diffusionTensor()
  std::optional<Series<float>> phase;   ///< of complex numbers, in radians; their magnitude is `series`
  FieldConvention convention = FieldConvention::itk;  ///< convention of a displacement
  double secondsPerVolume = 0;
  std::string unit;         ///< of the values, if the header states it
  GradientTable gradients;  ///< those in the header
  Notes notes;              ///< on orientation and changes
};

/// Called with the first of `count` volumes before the others are read, on the reading thread. May be empty.
using TellFirst = std::function<void(const Grid& grid, std::span<const float> first, int count)>;

/// Converts real and imaginary parts to magnitude and phase, in radians.
void toPolar(Series<float>& realThenMagnitude, Series<float>& imaginaryThenPhase, Notes& notes);

}  // namespace sulcus::io
