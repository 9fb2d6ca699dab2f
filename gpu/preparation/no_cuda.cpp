#include "gpu/runtime/no_cuda.h"

#include "gpu/preparation/motion.h"

namespace sulcus::gpu::preparation {

sulcus::preparation::MotionResult realignSeries(const sulcus::preparation::MotionInput&, const Progress&) {
  refuse();
}

}  // namespace sulcus::gpu::preparation
