#include "gpu/registration/maps.h"
#include "gpu/runtime/launch.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace maps_kernels {

std::int64_t voxelsOf(Vec3<int> size) { return std::int64_t(size.x) * size.y * size.z; }

/// Writes a vector to three volumes.
__device__ void store(float* volumes, std::int64_t voxels, std::int64_t i, Vec3<double> value) {
  volumes[i] = float(value.x);
  volumes[voxels + i] = float(value.y);
  volumes[2 * voxels + i] = float(value.z);
}

}  // namespace maps_kernels

void findSmallestJ(const MapsJob& job, double* rows, const Stream& stream, const Progress& progress) {
  const Vec3<int> cells = cellsOf(job.u.field.size);
  parallelFor(std::int64_t(cells.y) * cells.z, stream, progress, [=] __device__(std::int64_t r) {
    double smallest = 1;
    for (int x = 0; x < cells.x; ++x) {
      const double j = smallestCellJ(job.u.field, {x, int(r % cells.y), int(r / cells.y)}, job.u.inverse);
      smallest = j < smallest ? j : smallest;
    }
    rows[r] = smallest;
  });
}

void composeDisplacement(const MapsJob& job, float* displacement, const Stream& stream,
                         const Progress& progress) {
  const Vec3<int> size = job.u.field.size;
  const std::int64_t voxels = voxelsOf(size);
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<int> v = voxelAt(size, i);
    store(displacement, voxels, i,
          displacementToTemplate(v, job.u.field.at(v), job.spacing, job.worldFromVoxel,
                                 job.templateFromReference));
  });
}

template <class Image>
void displaceImage(const Image& image, const AffineMap& imageVoxelFromWorld,
                   const DisplacementView& displacement, float* result, const Stream& stream,
                   const Progress& progress) {
  const std::int64_t voxels = voxelsOf(displacement.size);
  const AffineMap toImage = imageVoxelFromWorld;
  const DisplacementView field = displacement;
  const Image from = image;
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    const float* const d = field.values + i;
    const Vec3<double> p = displacedPlace(toImage, field.worldFromVoxel, voxelAt(field.size, i),
                                          {d[0], d[voxels], d[2 * voxels]});
    result[i] = isInImage(from.size, p) ? interpolatedAt(from, p) : 0.f;
  });
}
template void displaceImage(const VolumeView<const float>&, const AffineMap&, const DisplacementView&, float*,
                            const Stream&, const Progress&);
template void displaceImage(const SplineView&, const AffineMap&, const DisplacementView&, float*,
                            const Stream&, const Progress&);

template <class Image>
void resampleImage(const Image& image, Vec3<int> size, const AffineMap& imageFromVoxel, float* result,
                   const Stream& stream, const Progress& progress) {
  const AffineMap toImage = imageFromVoxel;
  const Image from = image;
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<double> p = toImage.point(placeOf(voxelAt(size, i)));
    result[i] = isInImage(from.size, p) ? interpolatedAt(from, p) : 0.f;
  });
}
template void resampleImage(const VolumeView<const float>&, Vec3<int>, const AffineMap&, float*,
                            const Stream&, const Progress&);
template void resampleImage(const SplineView&, Vec3<int>, const AffineMap&, float*, const Stream&,
                            const Progress&);

void takeLogJacobian(const MapsJob& job, float* logJacobian, RowFigures* rows, const Stream& stream,
                     const Progress& progress) {
  const Vec3<int> size = job.u.field.size;
  const Vec3<float> half = 0.5f * inverseOf<float>(job.spacing);
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    logJacobian[i] = logJacobianAt(job.u.field, voxelAt(size, i), half);
  });
  parallelFor(std::int64_t(size.y) * size.z, stream, progress, [=] __device__(std::int64_t r) {
    RowFigures row;
    for (int x = 0; x < size.x; ++x)
      row.add(logJacobian[r * size.x + x], job.u.field.at({x, int(r % size.y), int(r / size.y)}));
    rows[r] = row;
  });
}

template <class Image>
void warpImage(const MapsJob& job, const Image& moving, float* warped, const Stream& stream,
               const Progress& progress) {
  const Vec3<int> size = job.u.field.size;
  const Image from = moving;
  parallelFor(voxelsOf(size), stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<int> v = voxelAt(size, i);
    warped[i] = interpolatedAt(from, movedPlace(v, job.u.field.at(v), job.spacing));
  });
}
template void warpImage(const MapsJob&, const VolumeView<const float>&, float*, const Stream&,
                        const Progress&);
template void warpImage(const MapsJob&, const SplineView&, float*, const Stream&, const Progress&);

void invertByNewton(const MapsJob& job, float* displacement, float* residual, const Stream& stream,
                    const Progress& progress) {
  const Vec3<int> reference = job.u.field.size, size = job.templateSize;
  const std::int64_t voxels = voxelsOf(size);
  parallelFor(voxels, stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<int> v = voxelAt(size, i);
    const InverseProblem problem = inverseProblem(job.referenceFromTemplate, reference, v);
    const Preimage found = preimageOf(problem, job.u);
    store(displacement, voxels, i,
          displacementToReference(problem, found.point, reference, job.worldFromVoxel,
                                  job.worldFromTemplateVoxel, v));
    residual[i] = float(found.residual);
  });
}

}  // namespace sulcus::gpu::registration
