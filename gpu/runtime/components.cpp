#include "gpu/runtime/components.h"

#include "core/base/sentence.h"

#include <cuda_runtime_api.h>

namespace sulcus::gpu {

std::vector<Component> components() {
  const std::string version = text(CUDART_VERSION / 1000, ".", CUDART_VERSION % 1000 / 10);
  return {{"CUDA runtime", version, "LicenseRef-NVIDIA-CUDA-EULA"}};
}

}  // namespace sulcus::gpu
