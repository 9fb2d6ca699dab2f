#pragma once

#include "core/image/grid.h"

#include <optional>
#include <string>

namespace sulcus {

struct Layer;

/// One step by which the content of a file is interpreted differently from how it was opened: a choice of the
/// user, in words that sessions, provenance and the command line repeat.
struct Reinterpretation {
  std::string how;  ///< see reinterpret()
  /// Displacements of FSL only: the grid of the image that is moved; none: that of the field.
  std::optional<Grid> moving = {};
};

/// The layer after such a step, which is recorded in Layer::reinterpretations and in the notes. What `how`
/// may be:
///
///   axes -x y z           gradients of a series, or peaks, along other axes of the image (axis_change.h)
///   peaks, peaks image    three volumes for each direction: along the axes of the scanner (MRtrix), or along
///                         those of the image (FSL's dtifit)
///   tensor ORDER          six volumes of a diffusion tensor, see core/image/diffusion/diffusion_tensor.h
///   harmonics             functions on the sphere of MRtrix, see core/image/diffusion/harmonics_image.h
///   displacement FORMAT   three volumes, see core/image/warp.h
///
/// Throws Error for other words and for a layer that cannot be reinterpreted in this way.
Layer reinterpret(const Layer& layer, const Reinterpretation& reinterpretation);

}  // namespace sulcus
