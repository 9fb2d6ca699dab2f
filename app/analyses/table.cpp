#include "app/analyses/table.h"

#include "app/analyses/activation/activation_analysis.h"
#include "app/analyses/fibers/fibers_analysis.h"
#include "app/analyses/registration/registration_analysis.h"
#include "app/analyses/run_support.h"
#include "app/analyses/surface/surface_analysis.h"
#include "gpu/runtime/device.h"

namespace sulcus::app::analyses {

const std::vector<Analysis>& table() {
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

}  // namespace sulcus::app::analyses
