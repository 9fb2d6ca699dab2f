#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"
#include "core/image/volume.h"

#include <vector>

namespace sulcus::tracts {

inline constexpr int kProfilePlaces = 100;

/// An image along a bundle.
struct BundleProfile {
  std::vector<Vec3<double>> core;       ///< the mean line at kProfilePlaces places, mm RAS+
  std::vector<double> mean, deviation;  ///< of the image there, weighted; NaN where no line has a value
};

/// What an image holds along the lines of one bundle: each is divided into kProfilePlaces places of equal
/// distance, turned so that all run the same way, and weighted at each place by how near it is to the core,
/// exp(−d²/2) with d the Mahalanobis distance from the mean (Yeatman et al., PLoS ONE 7 (2012) e49790).
/// Values are interpolated linearly; those that are not finite or outside of the image count for nothing.
/// Lines of one point are left out.
BundleProfile profileAlong(const Tracts& tracts, const Volume<float>& image, const Progress& progress = {});

}  // namespace sulcus::tracts
