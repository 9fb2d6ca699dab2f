#pragma once

#include "core/base/parallel/parallel_for.h"
#include "core/registration/similarity/mutual_information_kernel.h"
#include "core/registration/similarity/similarity.h"

#include <array>
#include <mutex>

namespace sulcus::registration {

/// Counts in units of kWeightUnit, by reference bin and then by template bin.
using JointHistogram = std::array<std::int64_t, kBins * kBins>;

/// A value of the template and the bin of the reference's value at the same position.
template <class Real>
struct BinnedPair {
  std::uint8_t bin;  ///< kNoBin where the images are not compared
  Real value;
  Real weight = 1;  ///< 0…1, weight of the pair
};

/// Adds a value of the template to the row of a reference bin.
///
/// @param share  its weight there, 0…1
template <class Real>
void countIn(JointHistogram& counts, int bin, BinPlace<Real> place, Real share) {
  const BinWeights<Real> weights = binWeights(place.fraction, share);
  std::int64_t* const row = counts.data() + bin * kBins + place.first;
  for (int k = 0; k < 4; ++k) row[k] += weights.n[k];
}

/// The joint histogram of pairs, counted in blocks on all threads: count(i, counts) adds pair i and is called
/// once per pair.
template <class Count>
JointHistogram jointHistogram(std::int64_t pairs, std::int64_t block, const Progress& progress,
                              const Count& count) {
  JointHistogram histogram{};
  std::mutex adding;
  parallelForBlocks(pairs, block, progress, [&](std::int64_t begin, std::int64_t end) {
    JointHistogram counts{};
    for (std::int64_t i = begin; i < end; ++i) count(std::size_t(i), counts);
    const std::lock_guard lock(adding);
    for (std::size_t i = 0; i < counts.size(); ++i) histogram[i] += counts[i];
  });
  return histogram;
}

/// The joint histogram of pairs whose reference values fall into single bins: pairAt(i) gives pair i.
template <class Real, class PairAt>
JointHistogram jointHistogram(BinRange<Real> range, std::int64_t pairs, std::int64_t block,
                              const Progress& progress, const PairAt& pairAt) {
  return jointHistogram(pairs, block, progress, [&](std::size_t i, JointHistogram& counts) {
    const BinnedPair<Real> pair = pairAt(i);
    if (pair.bin != kNoBin) countIn(counts, pair.bin, binPlace(range, pair.value), pair.weight);
  });
}

/// The entropy of the reference's bins, times the number of pairs.
template <class Real>
double entropyOfRows(const JointHistogram& histogram);

/// The evaluation of a joint histogram, the same for CPU and GPU.
template <class Real>
struct HistogramEntropy {
  double energy = 0;                            ///< Σ over the compared voxels
  std::array<Real, kBins * kBins> logShares{};  ///< by reference bin and then by template bin
};

template <class Real>
struct InformationBins;

/// @param bins  the bins that define the energy; null: the reference's values fall into single bins
template <class Real>
HistogramEntropy<Real> entropyOf(const JointHistogram& histogram,
                                 const InformationBins<Real>* bins = nullptr);

/// The range of intensities: from the darkest to 1.5 times the 98th percentile of the reference.
template <class Real>
BinRange<Real> templateRange(const std::vector<Real>& moving);

/// The bin of each voxel of the reference, kNoBin where the images are not compared.
template <class Real>
std::vector<std::uint8_t> referenceBins(const std::vector<Real>& reference);

/// How the values of two images are binned, from the voxels compared at the beginning of the level; in a
/// symmetric level the same for both halves except for the names.
template <class Real>
struct InformationBins {
  BinRange<Real> range, reference;
  double whole = 0;                   ///< mean entropy of both images then, where the energy is 0
  std::array<double, kBins> worth{};  ///< of the bins of the template; 0 in symmetric registration

  /// Adds a pair to a histogram.
  void count(Real value, Real referenceValue, Real weight, JointHistogram& counts) const {
    const BinPlace<Real> place = binPlace(range, value);
    const ReferenceBins<Real> bins = referenceBinsOf(reference, referenceValue, weight);
    for (int k = 0; k < 4; ++k) countIn(counts, bins.first + k, place, bins.share[k]);
  }
};

/// @param weights    weights of the voxels, see similarityMeasure()
/// @param symmetric  whether both images move
template <class Real>
InformationBins<Real> informationBins(const LevelImages<Real>& images, std::span<const Real> weights,
                                      bool symmetric, const Progress& progress);

/// Mutual information, see mutual_information_kernel.h.
template <class Real>
class MutualInformation : public SimilarityMeasure<Real> {
 public:
  /// Arguments as for informationBins().
  MutualInformation(const LevelImages<Real>& images, std::span<const Real> weights, bool symmetric,
                    const Progress& progress);

  double replaceBySlope(std::vector<Real>& warped, const Progress& progress) override;
  void takeReference(const LevelImages<Real>& images, const Progress& progress) override;

 private:
  InformationBins<Real> bins_;
  std::vector<Real> reference_;
  std::span<const Real> weights_;
};

}  // namespace sulcus::registration
