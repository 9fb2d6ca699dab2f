#include "core/registration/similarity/similarity.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/similarity/local_correlation.h"
#include "core/registration/similarity/mutual_information.h"

#include <numeric>

namespace sulcus::registration {

namespace {

/// ½ (T(x − u) − R)², see Similarity::l2.
template <class Real>
class SquaredDifferences : public SimilarityMeasure<Real> {
 public:
  SquaredDifferences(const LevelImages<Real>& images, std::span<const Real> weights)
      : size_(images.size), reference_(images.reference), weights_(weights) {}

  void takeReference(const LevelImages<Real>& images, const Progress&) override {
    reference_ = images.reference;
  }

  double replaceBySlope(std::vector<Real>& warped, const Progress& progress) override {
    const std::int64_t rows = std::int64_t(size_.y) * size_.z;
    std::vector<double> energies(rows);
    parallelForBlocks(rows, 64, progress, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        for (std::int64_t i = row * size_.x; i < (row + 1) * size_.x; ++i) {
          const Real difference = misfit(warped[i], reference_[i]);
          const Real weight = weights_.empty() ? Real(1) : weights_[i];
          energies[row] += double(weight) * (0.5 * double(difference) * double(difference));
          warped[i] = weight * difference;
        }
    });
    return std::accumulate(energies.begin(), energies.end(), 0.0) / double(warped.size());
  }

 private:
  Vec3<int> size_;
  std::vector<Real> reference_;
  std::span<const Real> weights_;
};

}  // namespace

template <class Real>
double applyMeasure(SimilarityMeasure<Real>& measure, std::vector<Real>& warped,
                    VectorField<Real>& imageForce, const Progress& progress, double share) {
  const Vec3<int> n = imageForce.size;
  const double energy = measure.replaceBySlope(warped, progress);
  parallelForBlocks(std::int64_t(n.y) * n.z, 64, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Real* const slope = warped.data() + row * n.x;
      for (int i = 0; i < 3; ++i) {
        Real* const f = imageForce.at(i, 0, int(row % n.y), int(row / n.y));
        for (int x = 0; x < n.x; ++x) f[x] *= Real(share) * slope[x];
      }
    }
  });
  return energy;
}

template <class Real>
std::unique_ptr<SimilarityMeasure<Real>> similarityMeasure(
    const LevelImages<Real>& images, const RegistrationOptions& options, const Progress& progress,
    std::span<const std::type_identity_t<Real>> weights) {
  switch (options.similarity) {
    case Similarity::lcc:
      return std::make_unique<LocalCorrelation<Real>>(images, options.window, progress, weights);
    case Similarity::mi:
      return std::make_unique<MutualInformation<Real>>(images, weights, options.symmetric, progress);
    case Similarity::automatic:  // already replaced by the plan
    case Similarity::l2:
      break;
  }
  return std::make_unique<SquaredDifferences<Real>>(images, weights);
}

template std::unique_ptr<SimilarityMeasure<float>> similarityMeasure(const LevelImages<float>&,
                                                                     const RegistrationOptions&,
                                                                     const Progress&, std::span<const float>);
template std::unique_ptr<SimilarityMeasure<double>> similarityMeasure(const LevelImages<double>&,
                                                                      const RegistrationOptions&,
                                                                      const Progress&,
                                                                      std::span<const double>);
template double applyMeasure(SimilarityMeasure<float>&, std::vector<float>&, VectorField<float>&,
                             const Progress&, double);
template double applyMeasure(SimilarityMeasure<double>&, std::vector<double>&, VectorField<double>&,
                             const Progress&, double);

}  // namespace sulcus::registration
