#include "gpu/registration/registration.h"

#include "core/registration/registration_run.h"
#include "gpu/registration/device_level.h"

namespace sulcus::gpu {

RegistrationResult registerImages(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  requireDevice();
  requireMemory(std::int64_t(registrationMemory(input).deviceBytes), "this registration");
  const Stream stream;
  return runRegistration(input, options, progress,
                         [&](const LevelImages<float>& images, VectorField<float> u, Progress part) {
                           return DeviceLevel(images, std::move(u), options, stream, std::move(part));
                         });
}

}  // namespace sulcus::gpu
