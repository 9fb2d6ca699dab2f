#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"
#include "core/image/volume.h"

#include <vector>

namespace sulcus::tracts {

inline constexpr int kProfilePlaces = 100;

/// An image along a bundle.
struct BundleProfile {
  std::vector<Vec3<double>> core;       ///< the mean line at kProfilePlaces positions, mm RAS+
  std::vector<double> mean, deviation;  ///< of the image there, weighted; NaN where no line has a value
};

/// The profile of an image along the lines of one bundle. Each line is divided into kProfilePlaces equally
/// spaced positions, turned so that all run the same way, and weighted at each position by its closeness to
/// the core, exp(−d²/2) with d the Mahalanobis distance from the mean (Yeatman et al., PLoS ONE 7 (2012)
/// e49790). Values are interpolated linearly; those outside the image or not finite are ignored, as are lines
/// of one point.
BundleProfile profileAlong(const Tracts& tracts, const Volume<float>& image, const Progress& progress = {});

}  // namespace sulcus::tracts
