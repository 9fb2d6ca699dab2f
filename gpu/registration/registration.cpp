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
      [&](const LevelInput<float>& level, VectorField<float> u, const RegistrationOptions& used,
          Progress part) { return DeviceLevel(level, std::move(u), used, stream, std::move(part)); });
}

double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options) {
  if (!input.reference || !input.templateImage) return 0;
  return (options.symmetric ? 2 : 1) *
         double(DeviceLevel::bytes(gridOfFlow(input, options).size, options, 1 + input.further.size(),
                                   input.weights != nullptr));
}

}  // namespace sulcus::gpu::registration
