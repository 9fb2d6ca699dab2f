#pragma once

#include "core/registration/linear/linear_climb.h"
#include "core/registration/linear/linear_frame.h"

#include <vector>

namespace sulcus::registration {

/// A map of points in mm, RAS+, as one between two frames; of planes, what happens within them.
Affine frameMapOf(const Affine& templateFromReference, const ObjectFrame& templateFrame,
                  const ObjectFrame& referenceFrame);

/// Maps between two frames to start at: turns of −30°, 0 and 30° about each axis, at the center of mass and
/// shifted along each axis by 0.7 radii.
std::vector<Affine> turnsAndShifts(int dimensions);

/// The linear maps after which two objects have the same covariance, A = √C_T Q 1/√C_R, with the same turns Q
/// about the centers of mass. Of two whole objects one of them is near.
std::vector<Affine> mapsOfShape(const ObjectFrame& templateFrame, const ObjectFrame& referenceFrame);

/// At most `count` places, the best first, each at least `leastDistance` from those that are better: the root
/// mean square distance by which two maps part the points of an object of radius 1.
std::vector<Place> bestOf(const std::vector<Place>& places, std::size_t count, double leastDistance);

}  // namespace sulcus::registration
