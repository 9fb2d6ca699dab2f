#include "gpu/runtime/none.h"

#include "gpu/registration/registration.h"

namespace sulcus::gpu::registration {

RegistrationResult registerImages(const RegistrationInput&, const RegistrationOptions&, const Progress&) {
  refuse();
}
Affine prealign(const Series<float>&, const Series<float>&, const PrealignMasks&, const PrealignOptions&,
                const std::optional<Affine>&, const Progress&) {
  refuse();
}
double registrationDeviceBytes(const RegistrationInput&, const RegistrationOptions&) { return 0; }

}  // namespace sulcus::gpu::registration
