#pragma once

#include "core/image/layer.h"
#include "core/io/export/png.h"

namespace sulcus::io {

/// The axial slice through the middle of an image, with the front at the top and the patient's left on the
/// right, in gray between its 2nd and 98th percentile or in its own colors, at most `most` pixels wide and
/// high. Throws Error for layers that are not images.
Picture slicePicture(const Layer& layer, int most);

}  // namespace sulcus::io
