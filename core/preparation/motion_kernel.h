#pragma once

#include "core/image/grids/interpolate.h"
#include "core/image/grids/value_check.h"
#include "core/math/simd.h"
#include "core/registration/preparation/cubic_spline_kernel.h"

#include <cstdint>

// The computation in a voxel when volumes are realigned, for CPU and GPU, with the same bits: every product
// that is added is a fusedMultiplyAdd, sums are in the same order, and both compilers are told not to fuse
// anything else.
//
// To estimate motion, a volume is smoothed and its values are taken as the coefficients of a cubic B-spline:
// the interpolated image is then the volume, smoothed a little more, and its slope is exact.

namespace sulcus::preparation {

/// Weights of a symmetric filter: the middle, then those at 1 … radius voxels on both sides.
struct SmoothingWeights {
  static constexpr int kMostRadius = 8;
  float w[kMostRadius + 1];
  int radius;
};

/// A usable value; unusable ones become 0.
SULCUS_HD_INLINE float soundOrZero(float value) {
  return value >= -kLargestValue && value <= kLargestValue ? value : 0;
}

/// The filter at a voxel.
///
/// @param at  the value this many voxels further along the axis
template <class At>
SULCUS_HD_INLINE float smoothedValue(const SmoothingWeights& weights, const At& at) {
  float sum = weights.w[0] * at(0);
  for (int k = 1; k <= weights.radius; ++k) sum = fusedMultiplyAdd(weights.w[k], at(-k) + at(k), sum);
  return sum;
}

/// Positions of the voxels of the reference in a volume: rows of (M, t), in voxels.
struct VolumeFromReference {
  float rows[3][4];

  SULCUS_HD_INLINE Vec3<float> point(Vec3<float> p) const {
    Vec3<float> q;
    for (int i = 0; i < 3; ++i)
      q[i] = fusedMultiplyAdd(
          rows[i][0], p.x, fusedMultiplyAdd(rows[i][1], p.y, fusedMultiplyAdd(rows[i][2], p.z, rows[i][3])));
    return q;
  }
};

/// Unknowns of a step: shift along and rotation about each axis, then brightness.
inline constexpr int kUnknowns = 7;
/// Sums of a step: normal matrix (lower triangle by rows), right side, Σw, Σwr², samples in view.
inline constexpr int kMatrixSums = kUnknowns * (kUnknowns + 1) / 2, kStepSums = kMatrixSums + kUnknowns + 3;
/// Arrays of the samples of the reference: voxel x, y, z, then the derivative of its value by each unknown,
/// the last of which is the value itself, then the weight of the sample.
inline constexpr int kSampleArrays = 3 + kUnknowns + 1;
/// Samples are added by 32 lanes of kSamplesPerLane each, then over the lanes (lane_sums.h).
inline constexpr int kMotionLanes = 32, kSamplesPerLane = 32,
                     kSamplesPerChunk = kMotionLanes * kSamplesPerLane;

/// Samples this near to the border of a volume, voxels, are not compared: nothing is known beyond it.
inline constexpr float kMargin = 1;

/// A volume, as it is compared with the reference.
struct ComparedVolume {
  registration::SplineView image;  ///< smoothed
  VolumeFromReference map;
  float gain;    ///< its brightness, relative to the reference
  float robust;  ///< 1/(c σ)² of the weights; 0: equal weights
};

/// The difference of a sample from the reference, and its weight.
template <class Real>
struct SampleDifference {
  Real difference;
  Real weight;   ///< for a sample of weight 1 with this difference
  Real weighed;  ///< the weight times that of the sample
};

/// The volume at a sample; `inView`: whether it extends there.
SULCUS_HD_INLINE float valueAtSample(const ComparedVolume& volume, Vec3<float> voxel, float& inView) {
  const Vec3<float> p = volume.map.point(voxel);
  const Vec3<int>& n = volume.image.size;
  const bool within = p.x >= kMargin && p.y >= kMargin && p.z >= kMargin && p.x <= float(n.x - 1) - kMargin &&
                      p.y <= float(n.y - 1) - kMargin && p.z <= float(n.z - 1) - kMargin;
  inView = within ? 1.f : 0.f;
  return within ? registration::interpolatedAt<int>(volume.image, p) : 0.f;
}

/// Weights by Geman and McClure, w = 1/(1 + (r/(c σ))²)², so that differences from other causes than motion,
/// such as activation, have little influence.
///
/// @param weight  of the sample: 1/variance of its differences without motion, up to a factor
template <class Real>
SULCUS_HD_INLINE SampleDifference<Real> differenceOf(Real value, Real reference, Real weight, Real inView,
                                                     float gain, float robust) {
  const Real r = fusedMultiplyAdd(Real(-gain), reference, value);
  const Real t = fusedMultiplyAdd(r * r * weight, Real(robust), Real(1.f));
  const Real robustly = inView / (t * t);
  return {r, robustly, robustly * weight};
}

/// Adds the terms of a sample, or of as many as Real has lanes.
///
/// @param slopes  the derivative of the reference's value by each unknown
template <class Real>
SULCUS_HD_INLINE void addSample(const Real* slopes, const SampleDifference<Real>& d, Real inView,
                                Real* sums) {
  Real* sum = sums;
  SULCUS_UNROLL
  for (int a = 0; a < kUnknowns; ++a) {
    const Real weighted = d.weighed * slopes[a];
    SULCUS_UNROLL
    for (int b = 0; b <= a; ++b, ++sum) *sum = fusedMultiplyAdd(weighted, slopes[b], *sum);
    sums[kMatrixSums + a] = fusedMultiplyAdd(weighted, d.difference, sums[kMatrixSums + a]);
  }
  Real* const rest = sums + kMatrixSums + kUnknowns;
  rest[0] = rest[0] + d.weight;
  rest[1] = fusedMultiplyAdd(d.weighed * d.difference, d.difference, rest[1]);
  rest[2] = rest[2] + inView;
}

/// The correction of images of one phase encoding to a homogeneous field. Null pointers: none.
struct UnwarpView {
  const float* shift = nullptr;  ///< displacement of each voxel along `axis` in the images, voxels
  const float* width = nullptr;  ///< factor on the signal of each voxel, which is stretched there
  int axis = 1;
};

/// A volume at a voxel of the reference; NaN outside its view.
///
/// @param image  coefficients of the volume as it was acquired
SULCUS_HD_INLINE float realignedValue(const registration::SplineView& image, const VolumeFromReference& map,
                                      const UnwarpView& unwarp, Vec3<int> voxel) {
  Vec3<float> p = map.point({float(voxel.x), float(voxel.y), float(voxel.z)});
  float width = 1;
  if (unwarp.shift) {
    const std::int64_t i =
        voxel.x + std::int64_t(image.size.x) * (voxel.y + std::int64_t(image.size.y) * voxel.z);
    p[unwarp.axis] += unwarp.shift[i];
    width = unwarp.width[i];
  }
  return isInImage(image.size, p) ? width * registration::interpolatedAt<int>(image, p)
                                  : floatOf(0x7fc00000u);
}

}  // namespace sulcus::preparation
