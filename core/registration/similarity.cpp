#include "core/registration/similarity.h"

#include "core/registration/local_correlation.h"
#include "core/registration/mutual_information.h"

namespace sulcus::registration {

template <class Real>
std::unique_ptr<SimilarityMeasure<Real>> similarityMeasure(const LevelImages<Real>& images,
                                                           const RegistrationOptions& options,
                                                           const Progress& progress) {
  switch (options.similarity) {
    case Similarity::lcc: return std::make_unique<LocalCorrelation<Real>>(images, options.window, progress);
    case Similarity::mi: return std::make_unique<MutualInformation<Real>>(images);
    case Similarity::l2: break;
  }
  return nullptr;
}

template std::unique_ptr<SimilarityMeasure<float>> similarityMeasure(const LevelImages<float>&,
                                                                     const RegistrationOptions&,
                                                                     const Progress&);
template std::unique_ptr<SimilarityMeasure<double>> similarityMeasure(const LevelImages<double>&,
                                                                      const RegistrationOptions&,
                                                                      const Progress&);

}  // namespace sulcus::registration
