#pragma once

#include "core/registration/linear/linear_alignment.h"
#include "core/registration/preparation/cubic_spline_kernel.h"
#include "core/registration/preparation/preparation.h"
#include "gpu/runtime/buffer.h"

#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

// Each step runs on the first of the chosen devices, whichever thread calls it, and gives the same bits as on
// the CPU. Several may run at once. While the devices are starting, the CPU's steps are used instead.

Coarsen coarsened;
AlignImage alignedImage;
TexturedShare texturedShare;
FindBrightness brightnessOf;
MatchAndScale matchAndScale;
/// Used once the devices have started, even in the middle of a climb.
MakeMeasure measureOf;

inline constexpr PreparationSteps kDeviceSteps{coarsened, alignedImage, texturedShare, brightnessOf,
                                               matchAndScale};

/// The steps for images of this size: the CPU's if the transfer to the device would take longer.
inline PreparationSteps stepsFor(std::int64_t voxels) {
  return voxels >= 1'500'000 ? kDeviceSteps : PreparationSteps{};
}

/// The number of positions that a pre-alignment samples does not depend on the number of voxels: it always
/// measures on the device.
inline LinearSteps linearStepsFor(std::int64_t voxels) { return {stepsFor(voxels).coarsened, measureOf}; }

/// Converts an image on the device to the spline that SplineImage makes of it. Its values are replaced by the
/// coefficients.
///
/// @param values  the same values on the host
SplineView splineOf(Buffer<float>& image, const std::vector<float>& values, const Vec3<int>& size,
                    const Stream& stream, const Progress& progress);

/// Bytes of device memory of a Measure of any level.
std::int64_t measureBytes(const RegistrationInput& input);

/// Bytes of device memory of the steps that may run at once.
std::int64_t preparationBytes(const RegistrationInput& input);

}  // namespace sulcus::gpu::registration
