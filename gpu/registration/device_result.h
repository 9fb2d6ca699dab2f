#pragma once

#include "core/registration/registration_plan.h"
#include "gpu/runtime/stream.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// resultOf() of the CPU, with the same bits: the maps are computed on the device; folds are repaired, and
/// the inverse is searched for where it is hard to find, on the host.
RegistrationResult resultOf(const RegistrationInput& input, const RegistrationPlan& plan,
                            VectorField<float> u, const Stream& stream, const Progress& progress);

/// Bytes of device memory of resultOf().
///
/// @param size, templateSize  voxels of the reference and of the template
std::int64_t resultBytes(const Vec3<int>& size, const Vec3<int>& templateSize,
                         const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
