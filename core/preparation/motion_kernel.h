#pragma once

#include "core/image/grids/interpolate.h"
#include "core/image/grids/value_check.h"
#include "core/math/simd.h"
#include "core/registration/preparation/cubic_spline_kernel.h"

#include <cstdint>

// What is computed in a voxel when volumes are realigned, for CPU and GPU, which get the same bits: every
// product that is added is a fusedMultiplyAdd, sums are made in the same order, and both compilers are told
// to fuse nothing else.
//
// To estimate the motion a volume is smoothed and its values are taken as the coefficients of a cubic
// B-spline: what is interpolated is then the volume smoothed a little more, and its slope is exact.

namespace sulcus::preparation {

/// Weights of a symmetric filter: the middle, then those at 1 … radius voxels, on both sides.
struct SmoothingWeights {
  static constexpr int kMostRadius = 8;
  float w[kMostRadius + 1];
  int radius;
};

/// A value that can be worked on; others count as 0.
SULCUS_HD_INLINE float soundOrZero(float value) {
  return value >= -kLargestValue && value <= kLargestValue ? value : 0;
}

/// The filter at a voxel.
///
/// @param at  the value so many voxels further along the axis
template <class At>
SULCUS_HD_INLINE float smoothedValue(const SmoothingWeights& weights, const At& at) {
  float sum = weights.w[0] * at(0);
  for (int k = 1; k <= weights.radius; ++k) sum = fusedMultiplyAdd(weights.w[k], at(-k) + at(k), sum);
  return sum;
}

/// Where voxels of the reference lie in a volume: rows of (M, t), in voxels.
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

/// Unknowns of a step: shift and turn along and about each axis, then brightness.
inline constexpr int kUnknowns = 7;
/// Sums of a step: normal matrix (lower triangle by rows), right side, Σw, Σwr², samples in view.
inline constexpr int kMatrixSums = kUnknowns * (kUnknowns + 1) / 2, kStepSums = kMatrixSums + kUnknowns + 3;
/// Arrays of the samples of the reference: voxel x, y, z, then the change of its value with each unknown, the
/// last of which is the value itself, then what the sample weighs.
inline constexpr int kSampleArrays = 3 + kUnknowns + 1;
/// Samples are added up by lanes of 32, each adding so many, then lane to lane (lane_sums.h).
inline constexpr int kMotionLanes = 32, kSamplesPerLane = 32,
                     kSamplesPerChunk = kMotionLanes * kSamplesPerLane;

/// Samples this near to the border of a volume, voxels, are not compared: beyond it nothing is known.
inline constexpr float kMargin = 1;

/// A volume as it is compared with the reference.
struct ComparedVolume {
  registration::SplineView image;  ///< smoothed
  VolumeFromReference map;
  float gain;    ///< its brightness, that of the reference being 1
  float robust;  ///< 1/(c σ)² of the weights; 0: all weigh the same
};

/// How a sample differs from the reference, and what it weighs.
template <class Real>
struct SampleDifference {
  Real difference;
  Real weight;   ///< of a sample of weight 1 that differs so much
  Real weighed;  ///< the weight times that of the sample
};

/// The volume at a sample; `inView`: whether it reaches there.
SULCUS_HD_INLINE float valueAtSample(const ComparedVolume& volume, Vec3<float> voxel, float& inView) {
  const Vec3<float> p = volume.map.point(voxel);
  const Vec3<int>& n = volume.image.size;
  const bool within = p.x >= kMargin && p.y >= kMargin && p.z >= kMargin && p.x <= float(n.x - 1) - kMargin &&
                      p.y <= float(n.y - 1) - kMargin && p.z <= float(n.z - 1) - kMargin;
  inView = within ? 1.f : 0.f;
  return within ? registration::interpolatedAt<int>(volume.image, p) : 0.f;
}

/// Weights fall as those of Geman and McClure, w = 1/(1 + (r/(c σ))²)², so that what differs for other
/// reasons than motion, such as activation, does not pull.
///
/// @param weight  of the sample: 1/variance of what it may differ by without motion, up to a factor
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
/// @param slopes  the change of the reference's value with each unknown
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

/// How images of one phase encoding are taken back to what they would be in an even field. Null pointers: as
/// they are.
struct UnwarpView {
  const float* shift = nullptr;  ///< how far along `axis` a voxel lies in the images, voxels; one per voxel
  const float* width = nullptr;  ///< what its signal is multiplied by, as it is drawn apart there
  int axis = 1;
};

/// A volume at a voxel of the reference; NaN where that is out of its view.
///
/// @param image  coefficients of the volume as it was taken
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
