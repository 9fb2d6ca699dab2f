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

/// How the numbers of a file are read: measurements as float, labels exactly as whole numbers.
enum class ReadAs { measurements, labels };

/// The numbers and the geometry (mm, RAS+) that a reader returns, before the kind of layer is decided.
struct RawImage {
  Series<float> series;                 ///< with ReadAs::measurements
  std::optional<Volume<Label>> labels;  ///< with ReadAs::labels
  bool storedAsFloat = false;           ///< the numbers on disk are floating point
  bool displacement = false;            ///< the three volumes are u(x) in mm, RAS+
  bool colors = false;                  ///< the three or four volumes are VolumeLayer::colors
  bool tensor = false;                  ///< the six volumes are a diffusionTensor()
  std::optional<Series<float>> phase;   ///< of complex numbers, whose magnitude is `series`: radians
  FieldConvention convention = FieldConvention::itk;  ///< the one by which a displacement was read
  double secondsPerVolume = 0;
  std::string unit;         ///< of the values, where the header itself says it
  GradientTable gradients;  ///< those in the header itself
  Notes notes;              ///< on orientation and what was changed
};

/// Called with the first of `count` volumes before the others are read, on the thread that reads. May be
/// empty.
using TellFirst = std::function<void(const Grid& grid, std::span<const float> first, int count)>;

/// Real and imaginary parts become magnitude and phase, in radians.
void toPolar(Series<float>& realThenMagnitude, Series<float>& imaginaryThenPhase, Notes& notes);

}  // namespace sulcus::io
