#include "core/registration/similarity/local_correlation_kernel.h"
#include "gpu/registration/similarity/images.h"
#include "gpu/runtime/launch.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace images_kernels {

std::int64_t voxelsOf(Vec3<int> size) { return std::int64_t(size.x) * size.y * size.z; }
Vec3<std::int64_t> stridesOf(Vec3<int> size) { return {1, size.x, std::int64_t(size.x) * size.y}; }

}  // namespace images_kernels

void sumAlong(int axis, VolumeView<const float> image, const AxisWeights& weights, float* result,
              const Stream& stream, const Progress& progress) {
  const Vec3<int> size = image.size;
  const std::int64_t stride = stridesOf(size)[axis];
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    const int at = voxelAt(size, i)[axis], last = size[axis] - 1;
    const float* const line = image.data + i - at * stride;
    float sum = 0;
    for (int k = -weights.radius; k <= weights.radius; ++k) {
      const int place = at + k, inside = max(0, min(last, place));
      if (inside == place || weights.continued) sum += weights.w[k + weights.radius] * line[inside * stride];
    }
    result[i] = sum;
  });
}

void takeMasked(const MaskedArray& image, float* inside, float* share, const Stream& stream,
                const Progress& progress) {
  const MaskedArray from = image;
  parallelFor(from.voxels, stream, progress, [=] __device__(std::int64_t i) {
    inside[i] = from.mask[i] ? from.values[i] : 0.f;
    share[i] = from.mask[i] ? 1.f : 0.f;
  });
}

void divideByShare(const float* image, const float* share, std::int64_t voxels, float* soft,
                   const Stream& stream, const Progress& progress) {
  parallelFor(voxels, stream, progress,
              [=] __device__(std::int64_t i) { soft[i] = withinMask(soft[i], share[i], image[i]); });
}

void takeStepped(VolumeView<const float> image, Vec3<int> size, Vec3<double> step, float* result,
                 const Stream& stream, const Progress& progress) {
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    result[i] = interpolatedAt(image, steppedPlace(voxelAt(size, i), step));
  });
}

void replaceByCoefficients(float* image, Vec3<int> size, const Stream& stream, const Progress& progress) {
  const Vec3<std::int64_t> strides = stridesOf(size);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<int> lines = size;
    lines[axis] = 1;
    parallelFor(voxelsOf(lines), stream, progress, [=] __device__(std::int64_t i) {
      const Vec3<int> first = voxelAt(lines, i);
      takeSplineCoefficients(image + first.x + first.y * strides.y + first.z * strides.z, size[axis],
                             strides[axis]);
    });
  }
}

template <class Image>
void continueImage(const Image& image, const AffineMap& imageFromVoxel, const CoveredValues& result,
                   const Stream& stream, const Progress& progress) {
  const AffineMap toImage = imageFromVoxel;
  const Image from = image;
  const CoveredValues to = result;
  parallelFor(voxelsOf(to.size), stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<double> p = toImage.point(placeOf(voxelAt(to.size, i)));
    to.values[i] = interpolatedAt(from, p);
    to.covered[i] = isInImage(from.size, p);
  });
}
template void continueImage(const VolumeView<const float>&, const AffineMap&, const CoveredValues&,
                            const Stream&, const Progress&);
template void continueImage(const SplineView&, const AffineMap&, const CoveredValues&, const Stream&,
                            const Progress&);

void takeWindowTerms(const float* reference, std::int64_t voxels, const ReferenceSums& terms,
                     const Stream& stream, const Progress& progress) {
  const ReferenceSums to = terms;
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    const float f = reference[i];
    const bool compared = f == f;
    to.count[i] = compared ? 1.f : 0.f;
    to.sum[i] = compared ? f : 0.f;
    to.squares[i] = compared ? f * f : 0.f;
  });
}

void countTextured(const std::uint8_t* region, std::int64_t voxels, const ReferenceSums& sums,
                   TextureCount* result, const Stream& stream, const Progress& progress) {
  const ReferenceSums of = sums;
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    if (!region[i]) return;
    atomicAdd(&result->voxels, 1ull);
    if (isTextured(referenceWindow(of.count[i], of.sum[i], of.squares[i])))
      atomicAdd(&result->textured, 1ull);
  });
}

}  // namespace sulcus::gpu::registration
