#pragma once

#include "core/registration/linear/linear_measure.h"

#include <vector>

#include <Eigen/Core>

namespace sulcus::registration {

/// A matrix (M | t) of a linear map or of a motion.
using Matrix34 = Eigen::Matrix<double, 3, 4>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// The information that one image has on the other under a linear map.
struct Information {
  /// Nats: the mutual information, or what stands for it by the correlation ratio. It is that of the samples
  /// of both images that fall into the other one.
  double value = 0;
  /// Its derivatives: with X = (M | t) the value changes by ⟨slope, X⟩ when the map h becomes h + X h.
  Matrix34 slope = Matrix34::Zero();
  /// What stands for the second derivatives along X, in row order: the mean square of the samples'
  /// derivatives. 0 unless requested.
  Matrix12 curvature = Matrix12::Zero();
};

/// What two images tell of each other in both directions: samples of the reference with the template's
/// values at the places they are mapped to, and samples of the template with the reference's at the places
/// they come from. So exchanging the images inverts the map that is best. Where less than half of the samples
/// of either image fall into the other, the value is that much smaller.
class PairInformation {
 public:
  /// @param templateImage, reference  have to live as long as this
  PairInformation(const AlignLevel& templateImage, const AlignLevel& reference, LinearSimilarity similarity,
                  MakeMeasure& make = measureOf)
      : templateImage_(templateImage),
        reference_(reference),
        measure_(make(templateImage, reference, similarity)) {}

  /// @param maps  template's frame from reference's frame
  std::vector<Information> operator()(const std::vector<Affine>& maps, bool curvature = false) const;

 private:
  const AlignLevel &templateImage_, &reference_;
  Measure measure_;
};

}  // namespace sulcus::registration
