#include "gpu/runtime/no_cuda.h"

#include "gpu/preparation/distortion.h"
#include "gpu/preparation/motion.h"

namespace sulcus::gpu::preparation {

sulcus::preparation::MotionResult realignSeries(const sulcus::preparation::MotionInput&, const Progress&) {
  refuse();
}

sulcus::preparation::DistortionField findDistortion(const sulcus::preparation::EpiImage&,
                                                    const sulcus::preparation::EpiImage&, const Progress&) {
  refuse();
}

}  // namespace sulcus::gpu::preparation
