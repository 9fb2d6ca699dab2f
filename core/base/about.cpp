#include "core/base/about.h"

#include "core/base/sentence.h"

namespace sulcus {

std::string aboutText(const std::vector<Component>& components, const DeviceReport& devices) {
  const Component& program = components.at(0);
  std::string about = text(program.name, " ", program.version, "\n");
  if (!program.build.empty()) about += text("Built from ", program.build, "\n");
  about += text("License ", program.license, ", see LICENSE\n\nBuilt with, under their own licenses\n");
  for (std::size_t i = 1; i < components.size(); ++i) {
    const auto& [name, version, license, build] = components[i];
    about += text("  ", name, version.empty() ? "" : " ", version, ", ", license, "\n");
  }
  about += "\nGPUs\n";
  if (!devices.driver.empty()) about += text("  CUDA driver ", devices.driver, "\n");
  for (const DeviceInfo& device : devices.devices)
    about +=
        text("  ", device.index, ": ", device.name, ", compute capability ", device.computeCapability, "\n");
  if (devices.devices.empty()) about += text("  none: ", devices.reason, "\n");
  return about;
}

}  // namespace sulcus
