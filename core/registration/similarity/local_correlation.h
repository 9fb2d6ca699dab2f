#pragma once

#include "core/registration/similarity/local_correlation_kernel.h"
#include "core/registration/similarity/similarity.h"

namespace sulcus::registration {

/// Window statistics of a level's reference, one value per voxel and array.
template <class Real>
struct ReferenceWindows {
  std::vector<Real> inverseCount, mean, inverseVariance;  ///< see ReferenceWindow

  ReferenceWindow<Real> operator[](std::size_t i) const {
    return {inverseCount[i], mean[i], inverseVariance[i]};
  }
};

/// Local correlation over windows of (2 radius + 1)³ voxels, see local_correlation_kernel.h.
template <class Real>
class LocalCorrelation : public SimilarityMeasure<Real> {
 public:
  /// @param weights  weights of the windows, see similarityMeasure()
  LocalCorrelation(const LevelImages<Real>& images, int radius, const Progress& progress,
                   std::span<const Real> weights = {});

  double replaceBySlope(std::vector<Real>& warped, const Progress& progress) override;
  void takeReference(const LevelImages<Real>& images, const Progress& progress) override;

  /// g |A|/√(B C) of each window, 0…1, and 0 where nothing is compared; `warped` as for replaceBySlope().
  std::vector<Real> map(const std::vector<Real>& warped, const Progress& progress) const;

 private:
  /// Calls use(first, sum, squares, products) for every row of voxels, with the index of its first voxel and
  /// the sums over windows of W, W² and F W.
  template <class Use>
  void forEachRowOfTerms(const std::vector<Real>& warped, const Progress& progress, const Use& use) const;

  Vec3<int> size_;
  int radius_;
  std::vector<Real> reference_;  ///< 0 where the images are not compared
  ReferenceWindows<Real> windows_;
  std::span<const Real> weights_;
  std::vector<Real> p_, q_, r_;
};

/// LocalCorrelation::map() of images, with `warped` as the displaced template.
std::vector<float> localCorrelation(const LevelImages<float>& images, int radius, std::vector<float> warped,
                                    const Progress& progress);

/// The share, 0…1, of the voxels of a region in whose windows the variance of the reference is at least
/// kNoiseVariance. The rest is flat, like the inside of a drawn shape, with nothing to correlate.
///
/// @param images  of which only the reference is used, in units of its 98th percentile
/// @param region  one value per voxel, nonzero inside
using TexturedShare = double(const LevelImages<float>& images, int radius,
                             const std::vector<std::uint8_t>& region, const Progress& progress);

/// Computed on the CPU.
TexturedShare texturedShare;

}  // namespace sulcus::registration
