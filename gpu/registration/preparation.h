#pragma once

#include "core/registration/linear/linear_alignment.h"
#include "core/registration/preparation/cubic_spline_kernel.h"
#include "core/registration/preparation/preparation.h"
#include "gpu/runtime/buffer.h"

#include <vector>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

// Each step is done on the first of the chosen devices, whichever thread calls it, and leaves the bits of the
// CPU's. Several may run at once. While the devices are starting the CPU's steps take their place.

Coarsen coarsened;
AlignImage alignedImage;
TexturedShare texturedShare;
FindBrightness brightnessOf;
MatchAndScale matchAndScale;
/// Once the devices have started, even in the middle of a climb.
MakeMeasure measureOf;

inline constexpr PreparationSteps kDeviceSteps{coarsened, alignedImage, texturedShare, brightnessOf,
                                               matchAndScale};

/// The steps of images of so many voxels: the CPU's where their way to the device would take longer.
inline PreparationSteps stepsFor(std::int64_t voxels) {
  return voxels >= 1'500'000 ? kDeviceSteps : PreparationSteps{};
}

/// The places that a pre-alignment looks at are as many whatever the voxels: it measures on the device.
inline LinearSteps linearStepsFor(std::int64_t voxels) { return {stepsFor(voxels).coarsened, measureOf}; }

/// An image on the device as the spline that SplineImage makes of it. Its values become the coefficients.
///
/// @param values  the same values on the host
SplineView splineOf(Buffer<float>& image, const std::vector<float>& values, const Vec3<int>& size,
                    const Stream& stream, const Progress& progress);

/// Bytes of device memory of a Measure of any level.
std::int64_t measureBytes(const RegistrationInput& input);

/// Bytes of device memory of the steps that run at once.
std::int64_t preparationBytes(const RegistrationInput& input);

}  // namespace sulcus::gpu::registration
