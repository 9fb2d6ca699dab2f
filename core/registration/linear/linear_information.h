#pragma once

#include "core/registration/linear/linear_measure.h"

#include <vector>

#include <Eigen/Core>

namespace sulcus::registration {

/// A matrix (M | t) of a linear map or of a motion.
using Matrix34 = Eigen::Matrix<double, 3, 4>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// The information of one image about the other under a linear map.
struct Information {
  /// Nats: the mutual information, or its equivalent by the correlation ratio, over the samples of both
  /// images that fall into the other one.
  double value = 0;
  /// Its derivatives: with X = (M | t) the value changes by ⟨slope, X⟩ when the map h becomes h + X h.
  Matrix34 slope = Matrix34::Zero();
  /// An approximation of the second derivatives along X, in row order: the mean square of the samples'
  /// derivatives. 0 unless requested.
  Matrix12 curvature = Matrix12::Zero();
};

/// The mutual information of two images in both directions: samples of the reference with the template's
/// values at the positions they are mapped to, and samples of the template with the reference's values at the
/// positions they come from. Therefore exchanging the images inverts the optimal map. If less than half of
/// the samples of either image fall into the other, the value is reduced accordingly.
class PairInformation {
 public:
  /// @param templateImage, reference  must outlive this
  PairInformation(const AlignLevel& templateImage, const AlignLevel& reference, LinearSimilarity similarity,
                  MakeMeasure& make = measureOf)
      : templateImage_(templateImage),
        reference_(reference),
        measure_(make(templateImage, reference, similarity)) {}

  /// @param maps  from the reference's frame to the template's
  std::vector<Information> operator()(const std::vector<Affine>& maps, bool curvature = false) const;

 private:
  const AlignLevel &templateImage_, &reference_;
  Measure measure_;
};

}  // namespace sulcus::registration
