#pragma once

#include "core/registration/prealign_level.h"

#include <array>
#include <vector>

#include <Eigen/Core>

namespace sulcus::registration {

/// A matrix (M | t) of a linear map or of a motion.
using Matrix34 = Eigen::Matrix<double, 3, 4>;

/// How much one image tells of the other under a linear map.
struct Information {
  /// Mutual information in nats. It is that of the samples of both images that fall into the other one.
  double value = 0;
  /// Its derivatives: with X = (M | t) the value changes by ⟨slope, X⟩ when the map h becomes h + X h.
  Matrix34 slope = Matrix34::Zero();
};

/// The mutual information of two images in both directions: samples of the reference with the template's
/// values at the places they are mapped to, and samples of the template with the reference's at the places
/// they come from. So exchanging the images inverts the map that is best. Where less than half of the samples
/// of either image fall into the other, the value is that much smaller.
class PairInformation {
 public:
  PairInformation(const AlignLevel& templateImage, const AlignLevel& reference)
      : directions_{{reference, templateImage}, {templateImage, reference}} {}

  /// @param map  template's frame from reference's frame
  Information operator()(const Affine& map);

  /// What stands for the second derivatives along (M | t), in row order, of the last map that was asked for:
  /// the mean square of the samples' derivatives.
  Eigen::Matrix<double, 12, 12> curvature() const;

 private:
  /// One direction of the comparison: the samples of one image in the other.
  struct Direction {
    Direction(const AlignLevel& image, const AlignLevel& other) : from(image), to(other) {}

    const AlignLevel &from, &to;
    std::vector<MovedSample> moved;
    std::vector<float> slopes;      ///< of the entropy, by the value of each sample
    std::array<double, 12> sums{};  ///< of the derivatives along the entries of the VoxelMap, by rows
    double counted = 0, entropy = 0;
    /// Takes derivatives along the entries of the direction's VoxelMap to those along X, both in row order.
    Eigen::Matrix<double, 12, 12> motionFromVoxelMap;
  };
  void measure(const VoxelMap& map, Direction& direction);

  Direction directions_[2];  ///< the reference's samples in the template, the template's in the reference
};

}  // namespace sulcus::registration
