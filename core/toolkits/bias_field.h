#pragma once

#include "core/registration/registration.h"

namespace sulcus::toolkits {

/// The bias field of one image by ITK's N4 (Tustison et al., IEEE Trans. Med. Imaging 29 (2010) 1310): the
/// smooth field whose removal makes the histogram of the foreground sharpest. It is computed on voxels of
/// about 6 mm and interpolated between them. The result does not depend on the number of threads. Can be
/// cancelled at every level.
///
/// @throws Error  for planes, and if there is no positive foreground
registration::FindBiasField n4BiasField;

}  // namespace sulcus::toolkits
