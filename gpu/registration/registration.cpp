#include "gpu/registration/registration.h"

#include "core/registration/registration_run.h"
#include "gpu/registration/device_level.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

RegistrationResult registerImages(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  requireDevice();
  requireMemory(std::int64_t(registrationDeviceBytes(input, options)), "this registration");
  const Stream stream;
  return runRegistration(
      input, options, progress,
      [&](const LevelImages<float>& images, VectorField<float> u, const RegistrationOptions& used,
          Progress part) { return DeviceLevel(images, std::move(u), used, stream, std::move(part)); });
}

double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options) {
  if (!input.reference || !input.templateImage) return 0;
  return double(DeviceLevel::bytes(input.reference->grid.size, options.similarity));
}

}  // namespace sulcus::gpu::registration
