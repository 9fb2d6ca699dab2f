#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/preparation/motion_kernel.h"
#include "gpu/runtime/stream.h"

#include <cstdint>

// Operations on all volumes of a series on the GPU. Pointers are to device memory.
namespace sulcus::gpu::preparation {

/// Volumes one after the other; unusable values count as 0.
struct VolumesView {
  const float* values;  ///< count × voxels
  Vec3<int> size;
  int count;
};

/// Smooths volumes along an axis.
///
/// @param result  count × voxels
void smoothAlong(int axis, const VolumesView& volumes, const sulcus::preparation::SmoothingWeights& weights,
                 float* result, const Stream& stream, const Progress& progress);

/// Converts volumes to spline coefficients.
void takeCoefficients(const VolumesView& volumes, float* result, const Stream& stream,
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

/// Some of them, and the size of the reference, voxels.
struct PlacedVolumes {
  const PlacedVolume* first;
  int count;
  Vec3<int> size;
};

/// The mean of the realigned volumes, in order.
void meanOfVolumes(const PlacedVolumes& volumes, float* mean, const Stream& stream, const Progress& progress);
/// All volumes, realigned.
///
/// @param unwarp  in device memory
void realignVolumes(const PlacedVolumes& volumes, const sulcus::preparation::UnwarpView& unwarp,
                    float* result, const Stream& stream, const Progress& progress);

}  // namespace sulcus::gpu::preparation
