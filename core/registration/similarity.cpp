#include "core/registration/similarity.h"

#include "core/base/parallel_for.h"
#include "core/registration/local_correlation.h"
#include "core/registration/mutual_information.h"

namespace sulcus::registration {

template <class Real>
LevelEnergy evaluate(const LevelImages<Real>& images, const std::vector<Texel<Real>>& texels,
                     const VectorField<Real>& u, TemplateGradient gradient, SimilarityMeasure<Real>& measure,
                     std::vector<Real>& warped, VectorField<Real>& imageForce, const Progress& progress) {
  const Vec3<int> n = images.size;
  LevelEnergy energy = displaceTemplate(images, texels, u, gradient, warped, imageForce, progress);
  energy.similarity = measure.replaceBySlope(warped, progress);
  parallelForBlocks(std::int64_t(n.y) * n.z, 64, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Real* const slope = warped.data() + row * n.x;
      for (int i = 0; i < 3; ++i) {
        Real* const f = imageForce.at(i, 0, int(row % n.y), int(row / n.y));
        for (int x = 0; x < n.x; ++x) f[x] *= slope[x];
      }
    }
  });
  return energy;
}

template <class Real>
std::unique_ptr<SimilarityMeasure<Real>> similarityMeasure(const LevelImages<Real>& images,
                                                           const RegistrationOptions& options,
                                                           const Progress& progress) {
  switch (options.similarity) {
    case Similarity::lcc:
      return std::make_unique<LocalCorrelation<Real>>(images, options.window, progress);
    case Similarity::mi:
      return std::make_unique<MutualInformation<Real>>(images);
    case Similarity::automatic:  // a plan has chosen
    case Similarity::l2:
      break;
  }
  return nullptr;
}

template std::unique_ptr<SimilarityMeasure<float>> similarityMeasure(const LevelImages<float>&,
                                                                     const RegistrationOptions&,
                                                                     const Progress&);
template std::unique_ptr<SimilarityMeasure<double>> similarityMeasure(const LevelImages<double>&,
                                                                      const RegistrationOptions&,
                                                                      const Progress&);
template LevelEnergy evaluate(const LevelImages<float>&, const std::vector<Texel<float>>&,
                              const VectorField<float>&, TemplateGradient, SimilarityMeasure<float>&,
                              std::vector<float>&, VectorField<float>&, const Progress&);
template LevelEnergy evaluate(const LevelImages<double>&, const std::vector<Texel<double>>&,
                              const VectorField<double>&, TemplateGradient, SimilarityMeasure<double>&,
                              std::vector<double>&, VectorField<double>&, const Progress&);

}  // namespace sulcus::registration
