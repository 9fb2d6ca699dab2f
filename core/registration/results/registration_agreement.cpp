#include "core/registration/results/registration_agreement.h"

#include "core/analysis/agreement.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sulcus::registration {
namespace {

constexpr double kLogJTolerance = 0.01, kEnergyTolerance = 1e-3;
constexpr double kFoldShareNeeded = 0.9999;
constexpr double kInverseTolerance = 0.05;  // voxels; equal to the residual that a result warns about
constexpr double kMapShareNeeded = 0.999;   // a difference at one voxel changes J at all its neighbors

/// |a − b| at each voxel of the grid, in voxels. Both fields are 3 volumes in mm.
std::vector<double> differenceLengths(const Series<float>& a, const Series<float>& b,
                                      const Progress& progress) {
  const Grid& grid = a.grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  std::vector<double> result(std::size_t(grid.voxels()));
  parallelFor(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t i) {
    const Vec3<double> d{double(a.at(i, 0)) - b.at(i, 0), double(a.at(i, 1)) - b.at(i, 1),
                         double(a.at(i, 2)) - b.at(i, 2)};
    result[std::size_t(i)] = norm(voxelFromWorld.vector(d));
  });
  return result;
}

/// Compares the final energies of the levels that both results have.
AgreementRow energyRow(const RegistrationResult& a, const RegistrationResult& b) {
  const auto last = [](const RegistrationResult& result) {
    std::map<int, double> energies;
    for (const auto& i : result.iterations) energies[i.level] = i.energy;
    return energies;
  };
  const auto x = last(a), y = last(b);
  std::vector<double> differences;
  for (const auto& [level, energy] : x)
    if (const auto other = y.find(level); other != y.end())
      differences.push_back(std::abs(energy - other->second) /
                            std::max({std::abs(energy), std::abs(other->second), 1e-12}));
  const double alone = double(x.size() + y.size()) - 2 * double(differences.size());
  return summarized("energy, relative", "", std::move(differences), alone, kEnergyTolerance, 1);
}

AgreementRow foldRow(const RegistrationResult& a, const RegistrationResult& b) {
  const std::int64_t voxels = a.displacement.grid.voxels();
  const auto folds = [](const RegistrationResult& result, std::int64_t i) {
    return !result.folds.values.empty() && result.folds.values[std::size_t(i)] != 0;
  };
  std::int64_t same = 0;
  for (std::int64_t i = 0; i < voxels; ++i) same += folds(a, i) == folds(b, i);
  AgreementRow row;
  row.quantity = text("folded or not (", a.foldedCells, " and ", b.foldedCells, " cells)");
  row.compared = double(voxels);
  row.shareWithin = double(same) / double(voxels);
  row.shareNeeded = kFoldShareNeeded;
  return row;
}

}  // namespace

Comparison compareRegistrations(const RegistrationResult& a, const RegistrationResult& b,
                                const Progress& progress) {
  const Grid& grid = a.displacement.grid;
  requireComparable(grid, b.displacement.grid, "the same two images");
  requireComparable(a.inverse.grid, b.inverse.grid, "the same two images");
  std::vector<double> displacement =
      differenceLengths(a.displacement, b.displacement, progress.part(0, 0.4, "Comparing"));
  std::vector<double> inverse = differenceLengths(a.inverse, b.inverse, progress.part(0.4, 0.8, "Comparing"));
  std::vector<double> logJ(displacement.size());
  for (std::size_t i = 0; i < logJ.size(); ++i)
    logJ[i] = std::abs(double(a.logJacobian.values[i]) - b.logJacobian.values[i]);

  Comparison result;
  Volume<float> difference(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const double d = displacement[std::size_t(i)];
    difference.values[std::size_t(i)] = float(d);
    if (d > 0) result.worst.push_back({grid.voxel(i), d});
    if (result.worst.size() >= 1000) keepWorstVoxels(result.worst);
  }
  keepWorstVoxels(result.worst);
  progress.update(0.9);
  result.rows = {summarized("displacement", "voxels", std::move(displacement), 0, kDisplacementTolerance, 1),
                 summarized("inverse", "voxels", std::move(inverse), 0, kInverseTolerance, kMapShareNeeded),
                 summarized("log J", "", std::move(logJ), 0, kLogJTolerance, kMapShareNeeded),
                 energyRow(a, b), foldRow(a, b)};
  result.difference =
      mapLayer("difference of the displacements", "voxels", "magma", Series<float>(std::move(difference)));
  result.difference->display.visible = true;
  return result;
}

std::vector<AgreementRow> compareRegistrationWithTruth(const RegistrationResult& result,
                                                       const Series<float>& truth, const Mask* object,
                                                       const Progress& progress) {
  const Grid& grid = result.displacement.grid;
  requireField(truth);
  requireTruthOn(grid, truth.grid, "reference");
  if (object) requireTruthOn(grid, object->grid, "reference");
  const auto errors = differenceLengths(result.displacement, truth, progress);
  std::vector<double> inside;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (!object || object->values[i]) inside.push_back(errors[i]);
  if (inside.empty())
    throw Error("The object of the truth is empty", "no voxel is left to measure the error in",
                "give the object of this phantom, or the true displacement alone");
  return {summarized(object ? "endpoint error in the object" : "endpoint error", "voxels", std::move(inside),
                     0, kEndpointTolerance, 0.95)};
}

}  // namespace sulcus::registration
