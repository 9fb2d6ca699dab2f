#pragma once

#include "core/registration/linear/linear_climb.h"
#include "core/registration/linear/linear_frame.h"

#include <vector>

namespace sulcus::registration {

/// Converts a map of points in mm, RAS+ to one between two frames; for planes, its part within them.
Affine frameMapOf(const Affine& templateFromReference, const ObjectFrame& templateFrame,
                  const ObjectFrame& referenceFrame);

/// Maps between two frames to start from: rotations by −30°, 0 and 30° about each axis, at the center of mass
/// and shifted along each axis by 0.7 radii.
std::vector<Affine> turnsAndShifts(int dimensions);

/// The linear maps that give two objects the same covariance, A = √C_T Q 1/√C_R, with the same rotations Q
/// about the centers of mass. For two complete objects, one of them is close to the solution.
std::vector<Affine> mapsOfShape(const ObjectFrame& templateFrame, const ObjectFrame& referenceFrame);

/// At most `count` maps, best first, each at least `leastDistance` from all better ones. The distance of
/// two maps is the root mean square distance between the points to which they map an object of radius 1.
std::vector<MeasuredMap> bestOf(const std::vector<MeasuredMap>& maps, std::size_t count,
                                double leastDistance);

}  // namespace sulcus::registration
