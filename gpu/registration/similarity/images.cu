#include "core/registration/similarity/local_correlation_kernel.h"
#include "gpu/registration/similarity/images.h"
#include "gpu/runtime/launch.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace images_kernels {

std::int64_t voxelsOf(Vec3<int> size) { return std::int64_t(size.x) * size.y * size.z; }

}  // namespace images_kernels

void sumAlong(int axis, VolumeView<const float> image, const AxisWeights& weights, float* result,
              const Stream& stream, const Progress& progress) {
  const Vec3<int> size = image.size;
  const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? size.x : std::int64_t(size.x) * size.y;
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    const int at = voxelAt(size, i)[axis], last = size[axis] - 1;
    const float* const line = image.data + i - at * stride;
    float sum = 0;
    for (int k = -weights.radius; k <= weights.radius; ++k) {
      const int place = at + k, inside = place < 0 ? 0 : place > last ? last : place;
      if (inside == place || weights.continued) sum += weights.w[k + weights.radius] * line[inside * stride];
    }
    result[i] = sum;
  });
}

void takeMasked(const float* image, const std::uint8_t* mask, std::int64_t voxels, float* inside,
                float* share, const Stream& stream, const Progress& progress) {
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    inside[i] = mask[i] ? image[i] : 0.f;
    share[i] = mask[i] ? 1.f : 0.f;
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
  const Vec3<std::int64_t> strides{1, size.x, std::int64_t(size.x) * size.y};
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
void continueImage(const Image& image, Vec3<int> size, const AffineMap& imageFromVoxel, float* result,
                   std::uint8_t* covered, const Stream& stream, const Progress& progress) {
  const AffineMap toImage = imageFromVoxel;
  const Image from = image;
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<double> p = toImage.point(placeOf(voxelAt(size, i)));
    result[i] = interpolatedAt(from, p);
    covered[i] = isInImage(from.size, p);
  });
}
template void continueImage(const VolumeView<const float>&, Vec3<int>, const AffineMap&, float*,
                            std::uint8_t*, const Stream&, const Progress&);
template void continueImage(const SplineView&, Vec3<int>, const AffineMap&, float*, std::uint8_t*,
                            const Stream&, const Progress&);

void takeWindowTerms(const float* reference, std::int64_t voxels, float* count, float* sum, float* squares,
                     const Stream& stream, const Progress& progress) {
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    const float f = reference[i];
    const bool compared = f == f;
    count[i] = compared ? 1.f : 0.f, sum[i] = compared ? f : 0.f, squares[i] = compared ? f * f : 0.f;
  });
}

void countTextured(const std::uint8_t* region, std::int64_t voxels, const float* count, const float* sum,
                   const float* squares, TextureCount* result, const Stream& stream,
                   const Progress& progress) {
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    if (!region[i]) return;
    atomicAdd(&result->voxels, 1ull);
    if (isTextured(referenceWindow(count[i], sum[i], squares[i]))) atomicAdd(&result->textured, 1ull);
  });
}

}  // namespace sulcus::gpu::registration
