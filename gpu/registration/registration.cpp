#include "gpu/registration/registration.h"

#include "core/registration/registration_run.h"
#include "gpu/registration/device_level.h"
#include "gpu/registration/device_result.h"

#include <algorithm>
#include <optional>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

RegistrationResult registerImages(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  const auto bytes = std::int64_t(registrationDeviceBytes(input, options));
  constexpr const char* what = "this registration";
  requireTotalMemory(bytes, what);
  // The device may be starting while the CPU prepares the levels.
  std::optional<Stream> stream;
  return runRegistration(
      input, options, progress,
      [&](const LevelInput<float>& level, VectorField<float> u, const RegistrationOptions& used,
          Progress part) {
        if (!stream) {
          requireDevice();
          requireMemory(bytes, what);
          stream.emplace();
        }
        return DeviceLevel(level, std::move(u), used, *stream, std::move(part));
      },
      [&](const RegistrationInput& given, const RegistrationPlan& plan, VectorField<float> u,
          const Progress& part) { return resultOf(given, plan, std::move(u), *stream, part); });
}

double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options) {
  if (!input.reference || !input.templateImage) return 0;
  const std::int64_t level = DeviceLevel::bytes(gridOfFlow(input, options).size, options,
                                                1 + input.further.size(), input.weights != nullptr),
                     result =
                         resultBytes(input.reference->grid.size, input.templateImage->grid.size, options);
  return double(std::max((options.symmetric ? 2 : 1) * level, result));
}

}  // namespace sulcus::gpu::registration
