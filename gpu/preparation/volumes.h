#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/preparation/motion_kernel.h"
#include "gpu/runtime/stream.h"

#include <cstdint>

// Operations on all volumes of a series on the GPU. Pointers are to device memory.
namespace sulcus::gpu::preparation {

/// Smooths `count` volumes along an axis.
///
/// @param image, result count × voxels; unusable values of `image` count as 0
void smoothAlong(int axis, const float* image, Vec3<int> size, int count,
                 const sulcus::preparation::SmoothingWeights& weights, float* result, const Stream& stream,
                 const Progress& progress);

/// Converts `count` volumes to spline coefficients; unusable values count as 0.
void takeCoefficients(const float* image, Vec3<int> size, int count, float* result, const Stream& stream,
                      const Progress& progress);

/// The samples of a reference.
struct DeviceSamples {
  const float* arrays;  ///< kSampleArrays arrays of `count`
  std::int64_t count;
};

/// The sums of a step for `volumes` volumes.
///
/// @param ofChunks  room for volumes × chunks × kStepSums
/// @param sums      volumes × kStepSums
void sumSteps(const DeviceSamples& samples, const sulcus::preparation::ComparedVolume* compared, int volumes,
              double* ofChunks, double* sums, const Stream& stream);

/// A volume to interpolate, and the positions of the reference's voxels in it.
struct PlacedVolume {
  sulcus::registration::SplineView image;
  sulcus::preparation::VolumeFromReference map;
};

/// The mean of the realigned volumes, in order.
void meanOfVolumes(const PlacedVolume* volumes, int count, Vec3<int> size, float* mean, const Stream& stream,
                   const Progress& progress);
/// All volumes, realigned.
///
/// @param unwarp  in device memory
void realignVolumes(const PlacedVolume* volumes, int count, Vec3<int> size,
                    const sulcus::preparation::UnwarpView& unwarp, float* result, const Stream& stream,
                    const Progress& progress);

}  // namespace sulcus::gpu::preparation
