#pragma once

#include "core/registration/linear/linear_information.h"

namespace sulcus::registration {

/// A map between the frames of two images and their similarity under it.
struct MeasuredMap {
  Affine map;
  Information at;
};

/// Which linear maps are searched.
enum class Motions { rigid, affine };

/// An orthonormal basis of the motions X by which a map h may become h + X h: |X|² is the mean square motion
/// of an object of radius 1 in every direction. In two dimensions only those within the plane.
std::vector<Matrix34> motionsOf(Motions motions, int dimensions);

/// The map reached by following the motion X for a unit of time: a rotation if X is one, and the inverse map
/// for −X.
Affine exponential(const Matrix34& motion);

/// A map whose matrix is replaced by the nearest rotation, U V' of its singular value decomposition.
Affine nearestRotation(const Affine& map);

struct ClimbOptions {
  int iterations;    ///< at most, at least 1
  double tolerance;  ///< stops at shorter steps, as lengths of motions
  double longest;    ///< longest step
};

/// Climbs from each map to a maximum of the information by BFGS steps, each halved until the information
/// increases. The first step approximates the second derivatives by the samples' mean square derivatives. The
/// climbs are independent but run in lockstep: the maps that all of them try next are measured together.
std::vector<MeasuredMap> climbed(const PairInformation& information, const std::vector<Matrix34>& motions,
                                 const std::vector<Affine>& from, const ClimbOptions& options,
                                 const Progress& progress);

}  // namespace sulcus::registration
