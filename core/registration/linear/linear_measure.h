#pragma once

#include "core/registration/linear/linear_level.h"
#include "core/registration/registration.h"

#include <array>
#include <functional>
#include <vector>

// The work of the linear registration: the information of two images' samples under many maps at once.

namespace sulcus::registration {

/// The sums of one direction of the comparison (the samples of one image in the other) under one map.
struct DirectionSums {
  double counted = 0;  ///< samples that are compared
  /// Information of all samples together, nats: their number times the mutual information, or its equivalent
  /// by the correlation ratio, see correlation_ratio_kernel.h.
  double information = 0;
  /// The derivatives of the negative information with respect to the entries of the VoxelMap, and the
  /// products of those of each sample, see addSlope() and addSquare().
  std::array<double, kSlopeSums> slopes{};
  std::array<double, kSquareSums> squares{};  ///< 0 unless requested
};

/// A value for both directions: first for the reference's samples in the template, then for the template's
/// samples in the reference.
template <class T>
using OfDirections = std::array<T, 2>;

/// Computes the sums under each of the maps, in voxels of the images.
using Measure = std::function<std::vector<OfDirections<DirectionSums>>(
    const std::vector<OfDirections<VoxelMap>>& maps, bool squares)>;

/// Makes the Measure of a pair of images at one level, which must outlive it.
using MakeMeasure = Measure(const AlignLevel& templateImage, const AlignLevel& reference,
                            LinearSimilarity similarity);

/// Measures on the CPU.
MakeMeasure measureOf;

}  // namespace sulcus::registration
