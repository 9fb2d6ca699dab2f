#include "app/analyses.h"

#include "app/activation_analysis.h"
#include "app/fibers_analysis.h"
#include "app/registration_analysis.h"
#include "app/run_support.h"
#include "app/surface_analysis.h"
#include "gpu/runtime/device.h"

namespace sulcus::app {

const std::vector<Analysis>& analyses() {
  static const std::vector<Analysis> table{
      recorded(fibersAnalysis()),
      recorded(activationAnalysis()),
      recorded(registrationAnalysis()),
      recorded(surfaceAnalysis()),
  };
  return table;
}

DeviceReport deviceReport() { return gpu::deviceReport(); }

void useDevice(int index) { gpu::useDevice(index); }

}  // namespace sulcus::app
