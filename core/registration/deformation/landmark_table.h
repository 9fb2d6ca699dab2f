#pragma once

#include "core/image/layer.h"
#include "core/registration/registration.h"

#include <vector>

namespace sulcus::registration {

/// The landmarks in a table. Each row has six numbers in mm, RAS+: x, y and z of a point of the template, and
/// of the same point in the reference. A name may precede them.
///
/// @throws Error  for layers that are not such a table
std::vector<Landmark> landmarksIn(const Layer& layer);

/// How far each landmark is from its target.
///
/// @param displacement, inverse  as in RegistrationResult
std::vector<LandmarkDistance> landmarkDistances(const std::vector<Landmark>& landmarks,
                                                const Affine& templateFromReference,
                                                const Series<float>& displacement,
                                                const Series<float>& inverse);

/// A row for each landmark, as it is drawn (isLandmarks()): its positions in both images.
TableLayer landmarkTable(const std::vector<Landmark>& landmarks);
/// A row for each landmark of a result: distances, and the positions in the reference of its own point and of
/// the template's.
TableLayer landmarkTable(const std::vector<LandmarkDistance>& landmarks);

/// The mean and the maximum of one distance over all landmarks, mm.
struct LandmarkSpread {
  double mean = 0, largest = 0;
};
LandmarkSpread spreadOf(const std::vector<LandmarkDistance>& landmarks, double LandmarkDistance::*distance);

}  // namespace sulcus::registration
