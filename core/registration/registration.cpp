#include "core/registration/registration.h"

#include "core/registration/registration_run.h"

namespace sulcus::registration {

RegistrationResult registerImages(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  return runRegistration(
      input, options, progress, PreparationSteps{},
      [&](const LevelInput<float>& level, VectorField<float> u, const RegistrationOptions& used,
          Progress part) {
        if (u.size != level.size()) u = refined(u, level.size(), part);
        return RegistrationLevel<float>(level, std::move(u), used, std::move(part));
      },
      resultOf);
}

}  // namespace sulcus::registration
