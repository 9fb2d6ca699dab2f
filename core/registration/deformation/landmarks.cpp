#include "core/registration/deformation/landmarks.h"

#include "core/base/error.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <map>

namespace sulcus::registration {
namespace {

void checkPoint(const std::string& name, const Vec3<double>& point, const Grid& grid, const char* image) {
  if (isInImage(grid.size, grid.worldFromVoxel.inverse().point(point))) return;
  throw Error(text("The landmark '", name, "' lies outside of the ", image, " (", point.x, ", ", point.y,
                   ", ", point.z, " mm)"),
              "it has no counterpart in the image",
              "give points in mm, RAS+, those of the template first, and check the positions in the headers");
}

}  // namespace

void checkLandmarks(const std::vector<Landmark>& landmarks, const Grid& templateGrid, const Grid& reference) {
  for (const Landmark& landmark : landmarks) {
    checkPoint(landmark.name, landmark.ofTemplate, templateGrid, "template");
    checkPoint(landmark.name, landmark.ofReference, reference, "reference");
  }
}

std::vector<PlacedLandmark> placed(const std::vector<Landmark>& landmarks, const Affine& templateFromFrame,
                                   const Affine& referenceFromFrame, bool symmetric) {
  const Affine frameFromTemplate = templateFromFrame.inverse(),
               frameFromReference = referenceFromFrame.inverse();
  std::vector<PlacedLandmark> result;
  for (const Landmark& landmark : landmarks) {
    const Vec3<double> t = frameFromTemplate.point(landmark.ofTemplate),
                       r = frameFromReference.point(landmark.ofReference);
    result.push_back({symmetric ? 0.5 * (t + r) : r, t, r});
  }
  return result;
}

LevelLandmarks landmarksOf(const std::vector<PlacedLandmark>& landmarks, const Grid& grid,
                           Vec3<double> PlacedLandmark::*image, double unit) {
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  LevelLandmarks result{{}, unit};
  for (const PlacedLandmark& landmark : landmarks)
    result.pairs.push_back({voxelFromWorld.point(landmark.at), voxelFromWorld.point(landmark.*image)});
  return result;
}

template <class Real>
LandmarkTables<Real> landmarkTables(const Vec3<int>& size, const Vec3<double>& spacing,
                                    const LevelLandmarks& landmarks, const RegistrationOptions& options) {
  LandmarkTables<Real> tables;
  if (landmarks.pairs.empty()) return tables;
  const VectorField<Real> layout = VectorField<Real>::layoutOf(size);
  const Grid grid{size, {}};
  std::map<std::int64_t, std::vector<LandmarkShare<Real>>> sharesAt;
  for (const LevelLandmark& landmark : landmarks.pairs) {
    const Vec3<double> p = landmark.point;
    const Cell<double> cell = cellAt(size, p.x, p.y, p.z);
    const auto steps = cornerSteps(cell);
    const auto weights = cornerWeights(cell);
    for (std::size_t corner = 0; corner < steps.size(); ++corner) {
      const Vec3<int> v = grid.voxel(cell.corner + steps[corner]);
      if (!(weights[corner] > 0) || !mayMove(size, v.x, v.y, v.z)) continue;
      sharesAt[layout.index(v.x, v.y, v.z)].push_back({int(tables.places.size()), Real(weights[corner])});
    }
    const Cell<double> c = cellInField(layout, cell);
    LandmarkPlace<Real> place{{}, {c.corner, c.dx, c.dy, c.dz, Real(c.fx), Real(c.fy), Real(c.fz)}};
    for (int i = 0; i < 3; ++i) place.offset[i] = Real(spacing[i] * (p[i] - landmark.target[i]));
    tables.places.push_back(place);
  }
  for (const auto& [at, shares] : sharesAt) {
    const int first = int(tables.shares.size());
    tables.shares.insert(tables.shares.end(), shares.begin(), shares.end());
    tables.voxels.push_back({at, first, int(tables.shares.size())});
  }
  tables.energyWeight =
      options.landmarkWeight / (double(tables.places.size()) * landmarks.unit * landmarks.unit);
  tables.pull = Real(tables.energyWeight * double(grid.voxels()));
  tables.descent = options.force == RegistrationForce::descent;
  return tables;
}

template <class Real>
double landmarkEnergy(const LandmarkTables<Real>& landmarks, const VectorField<Real>& u) {
  double sum = 0;
  for (const LandmarkPlace<Real>& place : landmarks.places) {
    const Vec3<Real> r = landmarkResidual(place, u.values[0].data(), u.values[1].data(), u.values[2].data());
    sum += 0.5 * (double(r.x) * double(r.x) + double(r.y) * double(r.y) + double(r.z) * double(r.z));
  }
  return landmarks.energyWeight * sum;
}

template <class Real>
void addLandmarkForce(const LandmarkTables<Real>& landmarks, const VectorField<Real>& u,
                      const Vec3<double>& spacing, int z, VectorField<Real>& force) {
  const auto below = [](const LandmarkVoxel& v, std::int64_t at) { return v.at < at; };
  const auto begin = landmarks.voxels.begin(), end = landmarks.voxels.end();
  const auto first = std::lower_bound(begin, end, u.index(0, 0, z), below),
             last = std::lower_bound(first, end, u.index(0, 0, z + 1), below);
  const Real *const ux = u.values[0].data(), *const uy = u.values[1].data(), *const uz = u.values[2].data();
  const Vec3<Real> half = Real(0.5) * inverseOf<Real>(spacing);
  const auto residual = [&](int k) { return landmarkResidual(landmarks.places[k], ux, uy, uz); };
  for (auto voxel = first; voxel != last; ++voxel) {
    const Mat3<Real> gradient =
        centralGradient(ux + voxel->at, uy + voxel->at, uz + voxel->at, u.row, u.plane, half);
    const Vec3<Real> f = landmarkForce(*voxel, landmarks.shares.data(), residual, landmarks.pull,
                                       landmarks.descent ? &gradient : nullptr);
    for (int i = 0; i < 3; ++i) force.values[i][voxel->at] += f[i];
  }
}

template LandmarkTables<float> landmarkTables(const Vec3<int>&, const Vec3<double>&, const LevelLandmarks&,
                                              const RegistrationOptions&);
template LandmarkTables<double> landmarkTables(const Vec3<int>&, const Vec3<double>&, const LevelLandmarks&,
                                               const RegistrationOptions&);
template double landmarkEnergy(const LandmarkTables<float>&, const VectorField<float>&);
template double landmarkEnergy(const LandmarkTables<double>&, const VectorField<double>&);
template void addLandmarkForce(const LandmarkTables<float>&, const VectorField<float>&, const Vec3<double>&,
                               int, VectorField<float>&);
template void addLandmarkForce(const LandmarkTables<double>&, const VectorField<double>&, const Vec3<double>&,
                               int, VectorField<double>&);

}  // namespace sulcus::registration
