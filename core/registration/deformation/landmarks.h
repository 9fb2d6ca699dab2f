#pragma once

#include "core/image/grid.h"
#include "core/registration/deformation/landmarks_kernel.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/registration.h"

#include <vector>

namespace sulcus::registration {

/// A pair of points on the grid of a level, in its voxels: `point` should be displaced to `target`.
struct LevelLandmark {
  Vec3<double> point, target;
};

/// The landmarks of a level.
struct LevelLandmarks {
  std::vector<LevelLandmark> pairs;
  double unit = 1;  ///< mm; the unit of distances in the energy
};

/// Landmarks in the frame of a grid, mm. The displacement is evaluated at `at`; the template's point should
/// then be at `ofTemplate`, and in symmetric registration the reference's at `ofReference`.
struct PlacedLandmark {
  Vec3<double> at, ofTemplate, ofReference;
};

/// @param templateFromFrame, referenceFromFrame  maps of points, mm
/// @param symmetric  both images are displaced, and `at` lies halfway; else `at` is the reference's point
std::vector<PlacedLandmark> placed(const std::vector<Landmark>& landmarks, const Affine& templateFromFrame,
                                   const Affine& referenceFromFrame, bool symmetric);

/// The landmarks for the displacement of the template, or of the reference, on a grid.
LevelLandmarks landmarksOf(const std::vector<PlacedLandmark>& landmarks, const Grid& grid,
                           Vec3<double> PlacedLandmark::*image, double unit);

/// Throws Error if a landmark lies outside of its image.
void checkLandmarks(const std::vector<Landmark>& landmarks, const Grid& templateGrid, const Grid& reference);

/// The landmarks of a level as used by CPU and GPU.
template <class Real>
struct LandmarkTables {
  std::vector<LandmarkPlace<Real>> places;
  std::vector<LandmarkVoxel> voxels;  ///< each once, ascending; without those that cannot move
  std::vector<LandmarkShare<Real>> shares;
  double energyWeight = 0;  ///< of ½ |residual|², 1/mm²
  Real pull = 0;            ///< see landmarkForce()
  bool descent = true;      ///< whether RegistrationForce is descent
};

template <class Real>
LandmarkTables<Real> landmarkTables(const Vec3<int>& size, const Vec3<double>& spacing,
                                    const LevelLandmarks& landmarks, const RegistrationOptions& options);

/// W/K Σ ½ |h(p) − q|², in units squared.
template <class Real>
double landmarkEnergy(const LandmarkTables<Real>& landmarks, const VectorField<Real>& u);

/// Adds the force of the landmarks to the force of the energy in plane z, computed by addBiasForce().
template <class Real>
void addLandmarkForce(const LandmarkTables<Real>& landmarks, const VectorField<Real>& u,
                      const Vec3<double>& spacing, int z, VectorField<Real>& force);

}  // namespace sulcus::registration
