#include "gpu/registration/registration.h"

#include "core/base/sentence.h"
#include "core/registration/registration_run.h"
#include "gpu/registration/device_level.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

/// Voxels of a level below which several devices take longer than one: they wait for each other
/// several times an iteration.
constexpr double kFewestShared = 4e6;

}  // namespace

RegistrationResult registerImages(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  requireDevice();
  requireMemory(std::int64_t(registrationDeviceBytes(input, options)), "this registration");
  const DeviceQueues first, all(chosenDevices());
  bool shared = all.size() == 1;
  RegistrationResult result =
      runRegistration(input, options, progress,
                      [&](const LevelInput<float>& level, VectorField<float> u,
                          const RegistrationOptions& used, Progress part) {
                        const Vec3<int> n = level.size();
                        const bool large = double(n.x) * n.y * n.z >= kFewestShared;
                        shared = shared || (large && canShareLevel(level, used));
                        return DeviceLevel(level, std::move(u), used, large ? all : first, std::move(part));
                      });
  if (!shared)
    result.notes.push_back(text(
        "One of the GPUs made this registration: they share out levels of more than ", kFewestShared / 1e6,
        " million voxels that compare one channel by squared differences without weights or by local "
        "correlation, one-sided and without landmarks."));
  return result;
}

double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options) {
  if (!input.reference || !input.templateImage) return 0;
  return (options.symmetric ? 2 : 1) *
         double(DeviceLevel::bytes(gridOfFlow(input, options).size, options, 1 + input.further.size(),
                                   input.weights != nullptr));
}

}  // namespace sulcus::gpu::registration
