#pragma once

#include "core/base/progress.h"
#include "core/registration/preparation/cubic_spline_kernel.h"
#include "core/registration/preparation/preparation_kernel.h"
#include "gpu/registration/similarity/masked_values.h"
#include "gpu/runtime/stream.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

// Each of these fills arrays on the device, one value per voxel with x fastest, and waits for it.

/// Weights of the neighbors at −r…r along an axis, on the device.
struct AxisWeights {
  const float* w;
  int radius;
  bool continued;  ///< values continue beyond the border; else they are 0
};

/// The weighted sum over the neighbors of each voxel along an axis, from the lowest to the highest.
void sumAlong(int axis, VolumeView<const float> image, const AxisWeights& weights, float* result,
              const Stream& stream, const Progress& progress);

/// The image with 0 outside of the mask, and the mask as an image of 0 and 1.
void takeMasked(const MaskedArray& image, float* inside, float* share, const Stream& stream,
                const Progress& progress);

/// Normalizes `soft`, see withinMask().
void divideByShare(const float* image, const float* share, std::int64_t voxels, float* soft,
                   const Stream& stream, const Progress& progress);

/// The image at steppedPlace() of each voxel.
void takeStepped(VolumeView<const float> image, Vec3<int> size, Vec3<double> step, float* result,
                 const Stream& stream, const Progress& progress);

/// Replaces an image by the coefficients of its cubic B-spline, as SplineImage does.
void replaceByCoefficients(float* image, Vec3<int> size, const Stream& stream, const Progress& progress);

/// Values on a grid, and whether each lies in the image that it was taken from: 1 or 0.
struct CoveredValues {
  Vec3<int> size;
  float* values;
  std::uint8_t* covered;
};
/// resampled(), extended by the border values: the image at imageFromVoxel(x), in voxels.
///
/// @tparam Image  VolumeView<const float> for linear interpolation, SplineView for cubic
template <class Image>
void continueImage(const Image& image, const AffineMap& imageFromVoxel, const CoveredValues& result,
                   const Stream& stream, const Progress& progress);

/// What the windows of local correlation sum for a reference: 1, F and F², all 0 where it is NaN.
struct ReferenceSums {
  float *count, *sum, *squares;
};
/// Sets the terms of these sums.
void takeWindowTerms(const float* reference, std::int64_t voxels, const ReferenceSums& terms,
                     const Stream& stream, const Progress& progress);

/// The number of voxels in a region, and the number of those in whose windows the reference varies.
struct TextureCount {
  unsigned long long voxels, textured;
};
/// Adds the voxels of an image to `result`.
void countTextured(const std::uint8_t* region, std::int64_t voxels, const ReferenceSums& sums,
                   TextureCount* result, const Stream& stream, const Progress& progress);

}  // namespace sulcus::gpu::registration
