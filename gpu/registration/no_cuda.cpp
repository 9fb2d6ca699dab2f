#include "gpu/runtime/no_cuda.h"

#include "gpu/registration/registration.h"

namespace sulcus::gpu::registration {

RegistrationResult registerImages(const RegistrationInput&, const RegistrationOptions&, const Progress&) {
  refuse();
}
Affine alignLinearly(const Series<float>&, const Series<float>&, const LinearMasks&, const LinearOptions&,
                     const std::optional<Affine>&, const Progress&) {
  refuse();
}
double registrationDeviceBytes(const RegistrationInput&, const RegistrationOptions&) { return 0; }

}  // namespace sulcus::gpu::registration
