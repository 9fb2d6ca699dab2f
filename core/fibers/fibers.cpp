#include "core/fibers/fibers.h"

#include "core/base/memory/allocate.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/stage_clock.h"
#include "core/fibers/deconvolution/deconvolve.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/models/models.h"
#include "core/fibers/peaks/find_peaks.h"

#include <cmath>

namespace sulcus::fibers {
namespace {

constexpr std::int64_t kVoxelsPerFit = 128;  // voxels, which take some ms

/// The first `count` volumes at some voxels: count × voxels.
Eigen::MatrixXf gathered(const Series<float>& image, int count, std::span<const std::int64_t> voxels) {
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(count, voxels.size());
  for (int v = 0; v < count; ++v)
    for (std::size_t i = 0; i < voxels.size(); ++i) values(v, Eigen::Index(i)) = image.at(voxels[i], v);
  return values;
}

/// Scales tensors and residuals of msmt to their unit, and writes the volumes.
void scaleTissues(const FiberInput& input, const FiberPlan& plan, std::span<const std::int64_t> voxels,
                  const Eigen::MatrixXf& coefficients, Eigen::MatrixXf& tensors, FiberMaps& maps) {
  const Eigen::MatrixXf volumes = matrixByRows(plan.tissues.volumes, kTissues) * coefficients;
  for (Eigen::Index j = 0; j < tensors.cols(); ++j) {
    const auto voxel = voxels[j];
    float sum = 0;
    for (const int v : plan.unweighted) sum += plan.dwi(input).at(voxel, v);
    const float scale = sum / (float(plan.unweighted.size()) * float(plan.tissues.unit));
    tensors.col(j) *= scale;
    maps.residual.values[voxel] *= scale;
    for (int t = 0; t < kTissues; ++t) maps.volumes.at(voxel, t) = scale * volumes(t, j);
  }
}

/// The coefficients that fit the signals of voxels, one column each.
Eigen::MatrixXf fittedCoefficients(const FiberPlan& plan, const Eigen::MatrixXf& ratios) {
  if (plan.model == FiberModel::csd) return deconvolve(plan.csd, ratios);
  if (plan.model == FiberModel::msmt) return deconvolveTissues(plan.tissues, ratios);
  Eigen::MatrixXf transformed = ratios;
  for (Eigen::Index j = 0; j < ratios.cols(); ++j)
    for (Eigen::Index i = 0; i < ratios.rows(); ++i)
      transformed(i, j) = transformRatio(plan.transform, ratios(i, j), plan.bValues[i]);
  return matrixByRows(plan.fit, plan.entries) * transformed;
}

/// Writes how far the fitted signals are from the measured ones and, for csd, how much these vary.
void writeResiduals(const FiberPlan& plan, std::span<const std::int64_t> voxels,
                    const Eigen::MatrixXf& ratios, const Eigen::MatrixXf& coefficients, FiberMaps& maps,
                    Volume<float>& spreads) {
  const Eigen::Index n = ratios.rows();
  const Eigen::MatrixXf predicted = matrixByRows(plan.predict, n) * coefficients;
  for (Eigen::Index j = 0; j < predicted.cols(); ++j) {
    float sum = 0;
    Spread spread;
    for (Eigen::Index i = 0; i < n; ++i) {
      spread.add(ratios(i, j));
      const float misfit =
          ratios(i, j) - ratioFromTransformed(plan.transform, predicted(i, j), plan.bValues[i]);
      sum += misfit * misfit;
    }
    const auto voxel = std::size_t(voxels[j]);
    maps.residual.values[voxel] = std::sqrt(sum / float(n));
    if (plan.model == FiberModel::csd) spreads.values[voxel] = spread.deviation();
  }
}

/// The tensors of voxels, one column each. Those that are fitted to a series also give residual, volumes and
/// spread.
Eigen::MatrixXf tensorsOf(const FiberInput& input, const FiberPlan& plan,
                          std::span<const std::int64_t> voxels, FiberMaps& maps, Volume<float>& spreads) {
  const Eigen::Index u = plan.entries;
  if (plan.model == FiberModel::tensor) return gathered(*input.tensor, plan.entries, voxels);
  if (plan.model == FiberModel::sh)
    return matrixByRows(plan.tensorFromCoefficients, u) * gathered(*input.sh, plan.entries, voxels);
  const Eigen::MatrixXf ratios = signalRatios(plan.dwi(input), plan.unweighted, plan.weighted, voxels);
  const Eigen::MatrixXf coefficients = fittedCoefficients(plan, ratios);
  writeResiduals(plan, voxels, ratios, coefficients, maps, spreads);
  Eigen::MatrixXf tensors = (matrixByRows(plan.tensorFromCoefficients, u) * coefficients).colwise() +
                            Eigen::Map<const Eigen::VectorXf>(plan.offset.data(), u);
  if (plan.model == FiberModel::msmt) scaleTissues(input, plan, voxels, coefficients, tensors, maps);
  return tensors;
}

/// Fits one block of the plan's voxels and writes all maps of it and, for csd, the spread of the signal.
void fitBlock(const FiberInput& input, const FiberPlan& plan, std::span<const std::int64_t> voxels,
              FiberMaps& maps, Volume<float>& spreads) {
  const Eigen::MatrixXf tensors = tensorsOf(input, plan, voxels, maps, spreads);
  const Eigen::MatrixXf harmonics = matrixByRows(plan.harmonicsFromTensor, plan.entries) * tensors;
  for (Eigen::Index j = 0; j < tensors.cols(); ++j) {
    const auto voxel = std::size_t(voxels[j]);
    maps.anisotropy.values[voxel] = generalizedAnisotropy(harmonics.col(j).data(), plan.entries);
    if (plan.model == FiberModel::msmt)
      maps.anisotropy.values[voxel] *= whiteMatterShare(maps.volumes.at(std::int64_t(voxel), 0));
  }
  for (int e = 0; e < plan.entries; ++e)
    for (Eigen::Index j = 0; j < tensors.cols(); ++j) maps.tensor.at(voxels[j], e) = tensors(e, j);
}

}  // namespace

FiberMaps findFibers(const FiberInput& input, const FiberOptions& options, const Progress& progress) {
  FiberMaps maps;
  StageClock clock;
  FiberPlan plan = planFibers(input, options, progress.part(0, 0.1, kResponseStage));
  clock.finish(kResponseStage);

  maps.tensor.grid = plan.grid;
  maps.tensor.count = plan.entries;
  maps.tensor.values = allocate(std::size_t(plan.grid.voxels()) * plan.entries, 0.0f, progress);
  maps.residual = Volume<float>(plan.grid);
  maps.anisotropy = Volume<float>(plan.grid);
  const bool isCsd = plan.model == FiberModel::csd;
  Volume<float> spreads;
  if (isCsd) spreads = Volume<float>(plan.grid);
  if (plan.model == FiberModel::msmt) maps.volumes = Series<float>(plan.grid, kTissues);
  parallelForBlocks(std::ssize(plan.voxels), kVoxelsPerFit, progress.part(0.1, 0.6, "Fit"),
                    [&](std::int64_t begin, std::int64_t end) {
                      fitBlock(input, plan, std::span(plan.voxels).subspan(begin, end - begin), maps,
                               spreads);
                    });
  clock.finish("Fit");

  Mask valid(plan.grid);
  for (const auto voxel : plan.voxels) valid.values[voxel] = 1;
  auto found = findPeaks(maps.tensor, valid, options, progress.part(0.6, 1, "Peaks"),
                         {plan.cut, &maps.residual, isCsd ? &spreads : nullptr});
  maps.peaks = std::move(found.peaks);
  maps.amplitude = std::move(found.amplitude);
  maps.count = std::move(found.count);
  maps.iterations = std::move(found.iterations);
  maps.degenerate = found.degenerate;
  clock.finish("Peaks");

  maps.stages = clock.stages();
  describeMaps(std::move(plan), found.notFinite, maps);
  return maps;
}

}  // namespace sulcus::fibers
