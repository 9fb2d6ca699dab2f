#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/inverse_kernel.h"
#include "core/registration/preparation/cubic_spline_kernel.h"
#include "gpu/runtime/stream.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// Data shared by the kernels of the maps. Arrays are on the device, images with x fastest.
struct MapsJob {
  VoxelDisplacement u;  ///< on the reference's grid
  Vec3<double> spacing;
  AffineMap worldFromVoxel;         ///< of the reference
  AffineMap templateFromReference;  ///< mm
  Vec3<int> templateSize;
  AffineMap worldFromTemplateVoxel;
  AffineMap referenceFromTemplate;  ///< between voxels
};

// Each of these fills an array like the CPU function of that name, and waits for it.

/// The smallest J of each row of cells, see foldsOf(); cellsOf().y · cellsOf().z values.
void findSmallestJ(const MapsJob& job, double* rows, const Stream& stream, const Progress& progress);

/// composedDisplacement(): three volumes.
void composeDisplacement(const MapsJob& job, float* displacement, const Stream& stream,
                         const Progress& progress);

/// A displacement on its own grid.
struct DisplacementView {
  Vec3<int> size;
  AffineMap worldFromVoxel;
  const float* values;  ///< three volumes, mm, RAS+
};
/// displaced(), with 0 outside.
///
/// @tparam Image                      VolumeView<const float> for linear interpolation, SplineView for cubic
/// @param image, imageVoxelFromWorld  the image to be displaced
template <class Image>
void displaceImage(const Image& image, const AffineMap& imageVoxelFromWorld,
                   const DisplacementView& displacement, float* result, const Stream& stream,
                   const Progress& progress);

/// resampled(), with 0 outside: the image at imageFromVoxel(x), in voxels, for each voxel x of a grid.
template <class Image>
void resampleImage(const Image& image, Vec3<int> size, const AffineMap& imageFromVoxel, float* result,
                   const Stream& stream, const Progress& progress);

/// log J, and the figures of each row of it.
void takeLogJacobian(const MapsJob& job, float* logJacobian, RowFigures* rows, const Stream& stream,
                     const Progress& progress);

/// warpedLevel(): the pre-aligned template at x − u(x).
///
/// @tparam Image  as for displaceImage()
template <class Image>
void warpImage(const MapsJob& job, const Image& moving, float* warped, const Stream& stream,
               const Progress& progress);

/// invert() without searchMissed(): three volumes on the template's grid, and the residuals.
void invertByNewton(const MapsJob& job, float* displacement, float* residual, const Stream& stream,
                    const Progress& progress);

}  // namespace sulcus::gpu::registration
