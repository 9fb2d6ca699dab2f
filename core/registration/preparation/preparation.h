#pragma once

#include "core/registration/deformation/pyramid.h"
#include "core/registration/similarity/channel.h"
#include "core/registration/similarity/local_correlation.h"

namespace sulcus::registration {

/// The most expensive steps of a preparation, by default on the CPU. Those of a GPU give the same bits.
struct PreparationSteps {
  Coarsen* coarsened = registration::coarsened;
  AlignImage* alignedImage = registration::alignedImage;
  TexturedShare* texturedShare = registration::texturedShare;
  FindBrightness* brightnessOf = registration::brightnessOf;
  MatchAndScale* matchAndScale = registration::matchAndScale;
};

}  // namespace sulcus::registration
