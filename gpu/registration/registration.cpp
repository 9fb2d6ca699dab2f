#include "gpu/registration/registration.h"

#include "core/base/sentence.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/registration_run.h"
#include "gpu/registration/device_level.h"
#include "gpu/registration/device_result.h"
#include "gpu/registration/preparation.h"

#include <algorithm>
#include <optional>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

/// Voxels of a level below which several devices take longer than one, since they wait for each other
/// several times an iteration.
constexpr double kFewestShared = 4e6;

}  // namespace

RegistrationResult registerImages(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  const auto bytes = std::int64_t(registrationDeviceBytes(input, options));
  constexpr const char* what = "this registration";
  requireTotalMemory(bytes, what);
  struct Queues {
    DeviceQueues first, all{chosenDevices()};
  };
  std::optional<Queues> queues;
  bool shared = chosenDevices().size() == 1;
  RegistrationResult result = runRegistration(
      input, options, progress, stepsFor(input.reference ? input.reference->grid.voxels() : 0),
      [&](const LevelInput<float>& level, VectorField<float> u, const RegistrationOptions& used,
          Progress part) {
        if (!queues) {
          requireDevice();
          requireMemory(bytes, what);
          queues.emplace();
        }
        const Vec3<int> n = level.size();
        const bool large = double(n.x) * n.y * n.z >= kFewestShared;
        shared = shared || (large && canShareLevel(level, used));
        return DeviceLevel(level, std::move(u), used, large ? queues->all : queues->first, std::move(part));
      },
      [&](const RegistrationInput& given, const RegistrationPlan& plan, VectorField<float> u,
          const Progress& part) {
        return resultOf(given, plan, std::move(u), queues->first.front().stream(), part);
      });
  if (!shared)
    result.notes.push_back(text("Only one GPU was used: several GPUs share a level only if it has more than ",
                                kFewestShared / 1e6,
                                " million voxels, one channel compared by unweighted squared differences or "
                                "local correlation, one-sided steps and no landmarks."));
  return result;
}

Affine alignLinearly(const Series<float>& templateImage, const Series<float>& reference,
                     const LinearMasks& masks, const LinearOptions& options,
                     const std::optional<Affine>& initial, const Progress& progress) {
  const std::int64_t voxels = std::max(templateImage.grid.voxels(), reference.grid.voxels());
  return alignLinearlyBy(linearStepsFor(voxels), {templateImage, reference, masks}, options, initial,
                         progress);
}

double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options) {
  if (!input.reference || !input.templateImage) return 0;
  const std::int64_t level = DeviceLevel::bytes(gridOfFlow(input, options).size, options,
                                                1 + input.further.size(), input.weights != nullptr),
                     result =
                         resultBytes(input.reference->grid.size, input.templateImage->grid.size, options);
  return double(std::max({(options.symmetric ? 2 : 1) * level, result, preparationBytes(input)}));
}

}  // namespace sulcus::gpu::registration
