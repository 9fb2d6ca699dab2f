#include "gpu/runtime/no_cuda.h"

#include "gpu/activation/activation.h"

namespace sulcus::gpu::activation {

GibbsResult sampleGibbs(const GibbsProblem&, const GibbsOptions&, const GibbsPreview&, const Progress&) {
  refuse();
}
ActivationResult analyzeActivation(const ActivationInput&, const ActivationOptions&, const Progress&) {
  refuse();
}
double gibbsDeviceBytes(const GibbsProblem&, const GibbsOptions&) { return 0; }

}  // namespace sulcus::gpu::activation
