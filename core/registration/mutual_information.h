#pragma once

#include "core/registration/mutual_information_body.h"
#include "core/registration/similarity.h"

#include <array>

namespace sulcus::registration {

/// Counts in units of kWeightUnit, by reference bin and then by template bin.
using JointHistogram = std::array<std::int64_t, kBins * kBins>;

/// What a joint histogram says, alike for CPU and GPU.
template <class Real>
struct HistogramEntropy {
  double energy = 0;                            ///< Σ over the compared voxels
  std::array<Real, kBins * kBins> logShares{};  ///< by reference bin and then by template bin
};

template <class Real>
HistogramEntropy<Real> entropyOf(const JointHistogram& histogram);

/// The range of a level's template: from its darkest voxel to 1.5 times the 98th percentile of the reference.
template <class Real>
BinRange<Real> templateRange(const std::vector<Real>& moving);

/// The bin of each voxel of the reference, kNoBin where the images are not compared.
template <class Real>
std::vector<std::uint8_t> referenceBins(const std::vector<Real>& reference);

/// Mutual information, see mutual_information_body.h.
template <class Real>
class MutualInformation : public SimilarityMeasure<Real> {
 public:
  explicit MutualInformation(const LevelImages<Real>& images);

  double replaceBySlope(std::vector<Real>& warped, const Progress& progress) override;
  void takeReference(const LevelImages<Real>& images, const Progress& progress) override;

 private:
  BinRange<Real> range_;
  std::vector<std::uint8_t> bins_;
};

}  // namespace sulcus::registration
