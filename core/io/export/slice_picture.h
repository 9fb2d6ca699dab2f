#pragma once

#include "core/image/layer.h"
#include "core/io/export/png.h"

namespace sulcus::io {

/// The axial slice through the middle of an image, front up and the patient's left on the right, gray between
/// its 2nd and 98th percentile or in the colors that it has, at most `most` pixels wide and high. Throws
/// Error for layers that are no image.
Picture slicePicture(const Layer& layer, int most);

}  // namespace sulcus::io
