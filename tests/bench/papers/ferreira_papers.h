#pragma once

#include "core/analysis/chart.h"
#include "tests/bench/papers/ferreira_data.h"

#include <memory>
#include <string>
#include <vector>

// Tables and figures of Ferreira da Silva (2010): their common runs, and the drawings.

namespace sulcus::bench {

using ActivationResultPtr = std::shared_ptr<const activation::ActivationResult>;

/// One run of the analysis and its duration in seconds, without files.
struct SampledScan {
  ActivationResultPtr result;
  double seconds = 0;
};

struct FerreiraRuns {
  PaperScan scan, simulated;
  SampledScan one, all, gpu;  ///< the audio-visual scan, ν = 3
  SampledScan strong;         ///< the same with ν = 45, on all threads
  SampledScan simulatedOne, simulatedAll, simulatedGpu;
};
FerreiraRuns ferreiraRuns(const PapersOptions& options, const Machine& machine);

/// Run times, and speed-up factors.
std::vector<Exhibit> ferreiraRunTimes(const FerreiraRuns& runs, const Machine& machine);
Exhibit ferreiraGenerators();
/// Figures 1 and 2.
Exhibit ferreiraMaps(const FerreiraRuns& runs, const char* number, const char* stimulus,
                     std::size_t regressor);
/// Figures 3 to 5.
Exhibit ferreiraFittedSeries(const FerreiraRuns& runs);
Exhibit ferreiraHistogram(const FerreiraRuns& runs, const Machine& machine);
Exhibit ferreiraShrinkage(const FerreiraRuns& runs);
/// Figure 6, and Figures 7 to 10.
Exhibit ferreiraSimulatedMap(const FerreiraRuns& runs);
std::vector<Exhibit> ferreiraRandomEffects(const FerreiraRuns& runs);

/// The posterior means of a coefficient in all voxels, and P(effect > 0).
std::vector<float> posteriorMeans(const activation::ActivationResult& result, std::size_t regressor);
std::vector<float> effectProbabilities(const activation::ActivationResult& result, std::size_t regressor);

/// The slice of a scan in gray, with the voxels shown in heat colors from `low` to `high`.
io::Picture pictureOfSlice(const PaperScan& scan, const activation::ActivationResult& result,
                           const std::vector<float>& values, const std::vector<bool>& shown, double low,
                           double high);
/// The map that the package calls PPM: posterior means above the 95 % HPD interval of the means of all
/// voxels.
ExhibitPicture packageMap(const PaperScan& scan, const activation::ActivationResult& result,
                          std::size_t regressor, const std::string& caption);
/// Voxels with P(effect > 0) ≥ 0.95.
ExhibitPicture probabilityMap(const PaperScan& scan, const activation::ActivationResult& result,
                              std::size_t regressor, const std::string& caption);
/// A plot of the analysis, at a position in mm.
Chart chartNamed(const ActivationResultPtr& result, const std::string& name, const Vec3<double>& at);
/// A sentence if a phantom replaces the scan, "" for a real scan.
std::string standInRemark(const PaperScan& scan);

}  // namespace sulcus::bench
