#include "app/version.h"

#include "app/build_origin.h"
#include "core/base/about.h"
#include "core/io/components.h"
#include "core/toolkits/components.h"
#include "gpu/runtime/components.h"
#include "gpu/runtime/device.h"

namespace sulcus::app {

std::vector<Component> componentsWith(const std::vector<Component>& own) {
  std::vector<Component> all = coreComponents();
  all.at(0).build = SULCUS_BUILD_ORIGIN;
  for (const auto& more : {io::components(), toolkits::components(), gpu::components(), own})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string buildCommit() {
  const std::string origin = SULCUS_BUILD_ORIGIN;
  return origin.substr(0, origin.find(','));
}

std::string versionText(const std::vector<Component>& own) {
  return aboutText(componentsWith(own), gpu::listDevices());
}

}  // namespace sulcus::app
