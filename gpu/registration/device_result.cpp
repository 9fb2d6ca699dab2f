#include "gpu/registration/device_result.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/preparation/cubic_spline.h"
#include "core/registration/results/overlap_metrics.h"
#include "core/registration/results/registration_result.h"
#include "gpu/registration/maps.h"
#include "gpu/registration/preparation.h"
#include "gpu/registration/similarity/device_similarity.h"
#include "gpu/registration/similarity/local_correlation.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sulcus::gpu::registration {
namespace {

/// u on the device, in the layout of a VectorField.
class DeviceField {
 public:
  DeviceField(const VectorField<float>& u, const Stream& stream)
      : component_(std::int64_t(u.values[0].size())), values_(3 * component_, stream, kWhat) {
    upload(u, stream);
  }
  void upload(const VectorField<float>& u, const Stream& stream) {
    for (int i = 0; i < 3; ++i)
      SULCUS_CUDA(cudaMemcpyAsync(values_.data() + i * component_, u.values[std::size_t(i)].data(),
                                  std::size_t(component_) * sizeof(float), cudaMemcpyHostToDevice,
                                  stream.get()));
    first_ = u.index(0, 0, 0);
  }
  FieldArrays arrays(const VectorField<float>& u) const {
    const float* const p = values_.data() + first_;
    return {{p, p + component_, p + 2 * component_}, u.size, u.row, u.plane};
  }

 private:
  std::int64_t component_, first_ = 0;
  Buffer<float> values_;
};

/// Everything computed on the device.
struct DeviceMaps {
  Buffer<float> displacement, warped, aligned, logJacobian, warpedLevel, localCorrelation, inverse, residual;
  Buffer<RowFigures> rows;
};

double smallestCornerJ(const MapsJob& job, const Stream& stream, const Progress& progress) {
  const Vec3<int> cells = cellsOf(job.u.field.size);
  std::vector<double> rows(std::size_t(cells.y) * std::size_t(cells.z));
  Buffer<double> onDevice(std::int64_t(rows.size()), stream, kWhat);
  findSmallestJ(job, onDevice.data(), stream, progress);
  onDevice.download(rows, stream);
  stream.synchronize();
  return *std::min_element(rows.begin(), rows.end());
}

Buffer<float> correlationOf(const LevelImages<float>& images, int radius, const Buffer<float>& warped,
                            const Stream& stream) {
  const std::int64_t voxels = warped.size();
  const auto reference = uploaded<float>(images.reference, stream, kWhat);
  Buffer<float> windows(3 * voxels, stream, kWhat), result(voxels, stream, kWhat);
  LevelJob job{};
  job.size = images.size;
  job.last = images.size.z;
  job.reference = reference.data();
  float* const w = windows.data();
  const WindowArrays arrays{w, w + voxels, w + 2 * voxels, nullptr, nullptr, nullptr};
  queueReferenceWindows(job, radius, arrays, stream);
  queueCorrelation(job, radius, warped.data(), arrays, result.data(), stream);
  return result;
}

DeviceMaps mapsOf(const MapsJob& job, const RegistrationInput& input, const RegistrationPlan& plan,
                  const Stream& stream, const Progress& progress) {
  const LevelImages<float>& images = plan.levels.back().images();
  const Series<float>& templateImage = *input.templateImage;
  const Vec3<int> size = images.size;
  const std::int64_t voxels = std::int64_t(images.reference.size()),
                     templateVoxels = templateImage.grid.voxels();
  DeviceMaps maps;
  maps.inverse = Buffer<float>(3 * templateVoxels, stream, kWhat);
  maps.residual = Buffer<float>(templateVoxels, stream, kWhat);
  invertByNewton(job, maps.inverse.data(), maps.residual.data(), stream, progress.part(0, 0.5, "Maps"));

  maps.displacement = Buffer<float>(3 * voxels, stream, kWhat);
  composeDisplacement(job, maps.displacement.data(), stream, progress.part(0.5, 0.6, "Maps"));
  const Affine voxelFromWorld = templateImage.grid.worldFromVoxel.inverse();
  auto image = uploaded<float>(templateImage.values, stream, kWhat);
  const Affine voxelFromVoxel =
      voxelFromWorld * plan.templateFromReference * plan.levels.back().grid.worldFromVoxel;
  maps.warped = Buffer<float>(voxels, stream, kWhat);
  maps.aligned = Buffer<float>(voxels, stream, kWhat);
  const auto align = [&](const auto& from) {
    resampleImage(from, size, voxelFromVoxel, maps.aligned.data(), stream, progress.part(0.6, 0.7, "Maps"));
  };
  const auto warp = [&](const auto& from) {
    displaceImage(from, voxelFromWorld, {size, job.worldFromVoxel, maps.displacement.data()},
                  maps.warped.data(), stream, progress.part(0.7, 0.8, "Maps"));
  };
  const bool cubic = plan.interpolation == Interpolation::cubic;
  const VolumeView<const float> voxelValues{image.data(), templateImage.grid.size};
  if (!cubic || leadsToVoxels(voxelFromVoxel)) align(voxelValues);
  if (cubic) {
    const SplineView spline = splineOf(image, templateImage.values, templateImage.grid.size, stream,
                                       progress.part(0.6, 0.6, "Maps"));
    if (!leadsToVoxels(voxelFromVoxel)) align(spline);
    warp(spline);
  } else {
    warp(voxelValues);
  }
  maps.logJacobian = Buffer<float>(voxels, stream, kWhat);
  maps.rows = Buffer<RowFigures>(std::int64_t(size.y) * size.z, stream, kWhat);
  takeLogJacobian(job, maps.logJacobian.data(), maps.rows.data(), stream, progress.part(0.8, 0.9, "Maps"));

  auto moving = uploaded<float>(images.moving, stream, kWhat);
  maps.warpedLevel = Buffer<float>(voxels, stream, kWhat);
  const auto warpLevel = [&](const auto& from) {
    warpImage(job, from, maps.warpedLevel.data(), stream, progress.part(0.9, 1, "Maps"));
  };
  if (cubic)
    warpLevel(splineOf(moving, images.moving, size, stream, progress.part(0.9, 0.9, "Maps")));
  else
    warpLevel(VolumeView<const float>{moving.data(), size});
  if (plan.similarity == Similarity::lcc)
    maps.localCorrelation = correlationOf(images, plan.window, maps.warpedLevel, stream);
  return maps;
}

/// The reference under the inverse, after searchMissed() has completed the inverse.
Volume<float> warpedReference(const Series<float>& reference, const Series<float>& inverse,
                              Interpolation interpolation, const Stream& stream, const Progress& progress) {
  Volume<float> result(inverse.grid);
  auto image = uploaded<float>(reference.values, stream, kWhat);
  const auto displacement = uploaded<float>(inverse.values, stream, kWhat);
  Buffer<float> warped(inverse.grid.voxels(), stream, kWhat);
  const auto displace = [&](const auto& from) {
    displaceImage(from, reference.grid.worldFromVoxel.inverse(),
                  {inverse.grid.size, inverse.grid.worldFromVoxel, displacement.data()}, warped.data(),
                  stream, progress);
  };
  if (interpolation == Interpolation::cubic)
    displace(splineOf(image, reference.values, reference.grid.size, stream, progress));
  else
    displace(VolumeView<const float>{image.data(), reference.grid.size});
  warped.download(result.values, stream);
  stream.synchronize();
  return result;
}

}  // namespace

RegistrationResult resultOf(const RegistrationInput& input, const RegistrationPlan& plan,
                            VectorField<float> u, const Stream& stream, const Progress& progress) {
  const PlannedLevel& level = plan.levels.back();
  const LevelImages<float>& images = level.images();
  const Grid &grid = level.grid, &templateGrid = input.templateImage->grid;
  RegistrationResult result = plannedResult(plan);
  std::optional<WaitTimer> waiting(WaitKind::work);
  DeviceField field(u, stream);
  const MapsJob job{
      {field.arrays(u), inverseOf<double>(grid.spacing())},
      grid.spacing(),
      grid.worldFromVoxel,
      plan.templateFromReference,
      templateGrid.size,
      templateGrid.worldFromVoxel,
      (plan.templateFromReference * grid.worldFromVoxel).inverse() * templateGrid.worldFromVoxel};
  result.smallestCornerJ = smallestCornerJ(job, stream, progress.part(0, 0.1, "Maps"));
  waiting.reset();
  if (!(result.smallestCornerJ > 0)) {
    unfoldAll(u, grid, result, progress.part(0, 0.1, "Maps"));
    field.upload(u, stream);
  }

  DeviceMaps maps;
  InverseField inverse;
  std::vector<float> warpedLevel;
  const bool correlates = plan.similarity == Similarity::lcc;
  // The host allocates and touches its memory meanwhile, which takes as long as the device computes.
  parallelInvoke(
      {[&] {
         requireDevice();
         const WaitTimer computing(WaitKind::work);
         maps = mapsOf(job, input, plan, stream, progress.part(0.1, 0.6, "Maps"));
       },
       [&] { result.displacement = Series<float>(grid, 3); },
       [&] { inverse.displacement = Series<float>(templateGrid, 3); },
       [&] { inverse.residual = Volume<float>(templateGrid); }, [&] { result.warped = Volume<float>(grid); },
       [&] { result.aligned = Volume<float>(grid); }, [&] { result.logJacobian = Volume<float>(grid); },
       [&] { warpedLevel.resize(images.reference.size()); },
       [&] {
         if (correlates) result.localCorrelation = Volume<float>(grid);
       },
       [&] { result.before = fitOf(images.moving, images.reference, plan.region); }},
      progress.part(0.1, 0.6, "Maps"));
  waiting.emplace(WaitKind::copies);
  std::vector<RowFigures> rows(std::size_t(maps.rows.size()));
  maps.rows.download(rows, stream);
  maps.displacement.download(result.displacement.values, stream);
  maps.warped.download(result.warped.values, stream);
  maps.aligned.download(result.aligned.values, stream);
  maps.logJacobian.download(result.logJacobian.values, stream);
  maps.warpedLevel.download(warpedLevel, stream);
  if (correlates) maps.localCorrelation.download(result.localCorrelation.values, stream);
  maps.inverse.download(inverse.displacement.values, stream);
  maps.residual.download(inverse.residual.values, stream);
  stream.synchronize();
  waiting.reset();
  maps = {};
  progress.update(0.7);

  addFigures(rows, result);
  result.after = fitOf(warpedLevel, images.reference, plan.region);
  searchMissed(u, grid, plan.templateFromReference, inverse, progress.part(0.7, 0.95, "Inverse"));
  finishResult(input, std::move(inverse), result);
  if (plan.symmetric)
    result.warpedReference = warpedReference(*input.reference, result.inverse, plan.interpolation, stream,
                                             progress.part(0.95, 1, "Maps"));
  return result;
}

std::int64_t resultBytes(const Vec3<int>& size, const Vec3<int>& templateSize,
                         const RegistrationOptions& options) {
  const std::int64_t voxels = std::int64_t(size.x) * size.y * size.z,
                     templateVoxels = std::int64_t(templateSize.x) * templateSize.y * templateSize.z,
                     rows = std::int64_t(size.y) * size.z;
  const bool correlates =
      options.similarity == Similarity::lcc || options.similarity == Similarity::automatic;
  // u; then displacement, warped, aligned, log J and the matched template there and warped; then those of the
  // template; then reference, its windows and the map of local correlation.
  return std::int64_t(sizeof(float)) * (3 * VectorField<float>::valuesOf(size) + 8 * voxels +
                                        5 * templateVoxels + (correlates ? 5 * voxels : 0)) +
         rows * std::int64_t(sizeof(RowFigures) + sizeof(double));
}

}  // namespace sulcus::gpu::registration
