#pragma once

#include "core/registration/linear/linear_level.h"
#include "core/registration/registration.h"

#include <array>
#include <functional>
#include <vector>

// The work of the linear registration: the information of two images' samples under many maps together.

namespace sulcus::registration {

/// What one direction of the comparison, the samples of one image in the other, sums up under one map.
struct DirectionSums {
  double counted = 0;  ///< samples that are compared
  /// That they tell together, nats: their number times the mutual information, or what stands for it by the
  /// correlation ratio, see correlation_ratio_kernel.h.
  double information = 0;
  /// Its derivatives along the entries of the VoxelMap, negative, and the products of those of each sample,
  /// see addSlope() and addSquare().
  std::array<double, kSlopeSums> slopes{};
  std::array<double, kSquareSums> squares{};  ///< 0 unless requested
};

/// Something of both directions: that of the reference's samples in the template, then that of the template's
/// samples in the reference.
template <class T>
using OfDirections = std::array<T, 2>;

/// Sums up under each of the maps, in voxels of the images.
using Measure = std::function<std::vector<OfDirections<DirectionSums>>(
    const std::vector<OfDirections<VoxelMap>>& maps, bool squares)>;

/// Makes that of a pair of images at one level, which have to live as long as it.
using MakeMeasure = Measure(const AlignLevel& templateImage, const AlignLevel& reference,
                            LinearSimilarity similarity);

/// Measures on the CPU.
MakeMeasure measureOf;

}  // namespace sulcus::registration
