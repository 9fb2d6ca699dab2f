#pragma once

#include "core/registration/deformation/pyramid.h"
#include "core/registration/similarity/channel.h"
#include "core/registration/similarity/local_correlation.h"

namespace sulcus::registration {

/// The steps of a preparation that cost most, by default the processor's. A GPU's leave the same bits.
struct PreparationSteps {
  Coarsen* coarsened = registration::coarsened;
  AlignImage* alignedImage = registration::alignedImage;
  TexturedShare* texturedShare = registration::texturedShare;
  FindBrightness* brightnessOf = registration::brightnessOf;
  MatchAndScale* matchAndScale = registration::matchAndScale;
};

}  // namespace sulcus::registration
