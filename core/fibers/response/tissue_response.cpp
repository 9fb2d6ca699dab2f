#include "core/fibers/response/tissue_response.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/models/models.h"
#include "core/fibers/models/shells.h"
#include "core/fibers/response/response.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/neighbors.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sulcus::fibers {
namespace {

constexpr int kErosions = 2;                    // layers of voxels left out at the border of the mask
constexpr float kWhiteMatterAnisotropy = 0.2f;  // FA
// Outliers are beyond the quartile by more than this many times its distance from the median.
constexpr double kFence = 2;
constexpr double kGrayShare = 0.02, kCsfShare = 0.1;
constexpr std::size_t kFewestVoxels = 10, kFewTissueVoxels = 50;
constexpr int kHistogramBins = 256;
constexpr double kWorstZonal = 100;     // condition of the zonal harmonics at the measured angles
constexpr double kNoiseFloor = 0.02;    // share of S0 to which noise alone raises a vanished signal
constexpr double kLeastCsfRatio = 1.2;  // of the decay of CSF to that of gray matter

constexpr std::array kTissueNames{"white matter", "gray matter", "CSF"};

/// The voxels of the plan except those at the border of the set; the border of the grid does not count as
/// one.
std::vector<std::int64_t> inner(const FiberPlan& plan) {
  const Grid& grid = plan.grid;
  std::vector<std::uint8_t> in(grid.voxels(), 0);
  for (const auto voxel : plan.voxels) in[voxel] = 1;
  std::vector<std::int64_t> kept = plan.voxels;
  for (int pass = 0; pass < kErosions; ++pass) {
    std::vector<std::int64_t> next;
    for (const auto voxel : kept) {
      bool isInside = true;
      forNeighbors(grid, grid.voxel(voxel), Connectivity::faces,
                   [&](std::int64_t other) { isInside = isInside && in[other]; });
      if (isInside) next.push_back(voxel);
    }
    for (const auto voxel : kept) in[voxel] = 0;
    for (const auto voxel : next) in[voxel] = 1;
    kept = std::move(next);
  }
  return kept;
}

/// A voxel and the decay of its signal.
struct Decaying {
  std::int64_t voxel;
  double decay;
};

double quantileOf(const std::vector<Decaying>& voxels, double q) {
  std::vector<double> decays(voxels.size());
  std::ranges::transform(voxels, decays.begin(), &Decaying::decay);
  return lowerQuantile(std::span(decays), q);
}

/// Otsu's threshold: the value that divides the voxels into two groups with the least variance within.
double otsuThreshold(const std::vector<Decaying>& voxels) {
  const double low = quantileOf(voxels, 0), high = quantileOf(voxels, 1);
  std::array<double, kHistogramBins> histogram{};
  for (const auto& v : voxels)
    ++histogram[int(std::min<double>(kHistogramBins - 1, kHistogramBins * (v.decay - low) / (high - low)))];
  double total = 0, below = 0, sumBelow = 0, best = -1, threshold = high;
  for (int i = 0; i < kHistogramBins; ++i) total += i * histogram[i];
  for (int i = 0; i + 1 < kHistogramBins; ++i) {
    below += histogram[i];
    sumBelow += i * histogram[i];
    const double above = double(voxels.size()) - below;
    if (below == 0 || above == 0) continue;
    const double difference = sumBelow / below - (total - sumBelow) / above;
    const double between = below * above * difference * difference;
    if (between <= best) continue;
    best = between;
    threshold = low + (i + 1) * (high - low) / kHistogramBins;
  }
  return threshold;
}

/// Voxels of a tissue without those whose decay is far above that of the others or, with `bothSides`, far
/// from it.
std::vector<Decaying> withoutOutliers(const std::vector<Decaying>& voxels, bool bothSides) {
  if (voxels.empty()) return {};
  const double median = quantileOf(voxels, 0.5), upper = quantileOf(voxels, 0.75),
               lower = quantileOf(voxels, 0.25);
  std::vector<Decaying> kept;
  for (const auto& v : voxels)
    if (v.decay <= upper + kFence * (upper - median) &&
        (!bothSides || v.decay >= lower - kFence * (median - lower)))
      kept.push_back(v);
  return kept;
}

/// The `share` of the voxels with the smallest cost(decay), but at least as many as a response requires.
template <class Cost>
std::vector<std::int64_t> lowest(std::vector<Decaying> voxels, double share, Cost cost) {
  const auto count =
      std::min(voxels.size(), std::max(kFewTissueVoxels, std::size_t(share * double(voxels.size()))));
  std::sort(voxels.begin(), voxels.end(), [&](const Decaying& a, const Decaying& b) {
    return cost(a.decay) != cost(b.decay) ? cost(a.decay) < cost(b.decay) : a.voxel < b.voxel;
  });
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(voxels[i].voxel);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void requireTissueVoxels(std::size_t count, const char* tissue, Notes& notes) {
  if (count < kFewestVoxels)
    throw Error(text("Only ", count, " voxels look like ", tissue),
                "the response of a tissue comes from at least 10 voxels",
                "give {response}, {response-gm} and {response-csf}, a mask with more of the brain, or take "
                "model csd"_message);
  if (count < kFewTissueVoxels)
    notes.push_back(Note::warning(
        text("the response of ", tissue, " comes from only ", count,
             " voxels; fractions and peaks may be wrong. Give responses, or a mask with more of it.")));
}

/// ln(S0 / mean signal), averaged over the weighted volumes.
double decayOf(const TissueResponse& response, const ScanShells& shells) {
  double sum = 0;
  for (const int shell : shells.shellOf)
    sum += std::log(meanSignal(response) / meanSignal(response, std::size_t(shell)));
  return sum / double(shells.shellOf.size());
}

/// What responses are estimated from, as given to estimateTissues().
struct TissueScan {
  const Series<float>& dwi;
  const FiberPlan& plan;
  const std::vector<float>& signal;
  const ScanShells& shells;

  /// The mean signals of a voxel, one per shell.
  std::vector<double> means(std::int64_t voxel) const {
    std::vector<double> sums(shells.b.size(), 0.0), counts = sums;
    for (std::size_t i = 0; i < plan.weighted.size(); ++i) {
      const auto shell = std::size_t(shells.shellOf[i]);
      sums[shell] += dwi.at(voxel, plan.weighted[i]);
      ++counts[shell];
    }
    sums[0] = signal[voxel];
    counts[0] = 1;
    for (std::size_t shell = 0; shell < sums.size(); ++shell) sums[shell] /= counts[shell];
    return sums;
  }

  /// ln(S0 / mean signal) of a voxel, averaged over the weighted volumes.
  double decay(std::int64_t voxel) const {
    const auto means = this->means(voxel);
    double sum = 0;
    for (const int shell : shells.shellOf) sum += std::log(means[0] / means[shell]);
    return sum / double(shells.shellOf.size());
  }
};

TissueResponse isotropicResponse(const TissueScan& scan, const std::vector<std::int64_t>& voxels) {
  TissueResponse response(scan.shells.b.size(), {0.0});
  for (const auto voxel : voxels) {
    const auto means = scan.means(voxel);
    for (std::size_t shell = 0; shell < means.size(); ++shell)
      response[shell][0] += kUnitHarmonic * means[shell] / double(voxels.size());
  }
  return response;
}

/// The highest order up to `order` whose zonal harmonics are determined by the angles between the directions
/// and the axes: higher terms would be noise.
int zonalOrder(int order, std::span<const Vec3<double>> directions, std::span<const Vec3<double>> axes) {
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(order / 2 + 1, order / 2 + 1);
  Eigen::VectorXd zonal(normal.rows());
  for (const auto& axis : axes)
    for (const auto& g : directions) {
      for (int l = 0; l <= order; l += 2) zonal[l / 2] = zonalHarmonic(l, dot(g, axis));
      normal += zonal * zonal.transpose();
    }
  // For evenly spread angles it is a multiple of I.
  for (; order > 0; order -= 2) {
    const Eigen::Index terms = order / 2 + 1;
    const Eigen::VectorXd singular = singularValues(normal.topLeftCorner(terms, terms));
    if (singular[0] < kWorstZonal * singular[terms - 1]) break;
  }
  return order;
}

/// Voxels with a single fiber and their axes, chosen as for csd by the highest shell that can show crossings;
/// if none can, the most anisotropic ones by all volumes.
FiberResponse singleFibers(const TissueScan& scan, const std::vector<Decaying>& white,
                           const Progress& progress) {
  const auto& [dwi, plan, signal, shells] = scan;
  FiberPlan one;
  one.order = plan.order;
  one.grid = plan.grid;
  one.unweighted = plan.unweighted;
  for (const auto& v : white) one.voxels.push_back(v.voxel);
  std::vector<Vec3<double>> directions;
  int shell = int(shells.b.size()) - 1;
  for (; shell > 0; --shell) {
    one.weighted = shells.volumesOf(shell, plan.weighted);
    directions = directionsOf(shells.gradients, one.weighted);
    if (determinesOrder(kCrossingOrder, directions)) break;
  }
  if (shell == 0) {
    one.weighted = plan.weighted;
    directions = directionsOf(shells.gradients, plan.weighted);
  }
  for (const int v : one.weighted) one.bValues.push_back(float(shells.gradients.rows[v].b - plan.baseline));
  return shell > 0 ? estimateResponse(dwi, one, signal, directions, progress)
                   : mostAnisotropicFibers(dwi, one, signal, directions, progress);
}

TissueResponse fiberResponse(const TissueScan& scan, const FiberResponse& found) {
  const auto& [dwi, plan, signal, shells] = scan;
  TissueResponse response(1, std::vector<double>(std::size_t(plan.order / 2 + 1), 0.0));
  for (const auto voxel : found.voxels)
    response[0][0] += kUnitHarmonic * double(signal[voxel]) / double(found.voxels.size());
  for (std::size_t shell = 1; shell < shells.b.size(); ++shell) {
    const auto volumes = shells.volumesOf(int(shell), plan.weighted);
    std::vector<ResponseSample> samples;
    for (std::size_t i = 0; i < found.voxels.size(); ++i) {
      auto& sample = samples.emplace_back(ResponseSample{{}, found.axes[i]});
      for (const int volume : volumes) sample.ratios.push_back(dwi.at(found.voxels[i], volume));
    }
    const auto directions = directionsOf(shells.gradients, volumes);
    response.push_back(fitResponse(zonalOrder(plan.order, directions, found.axes), directions, samples));
    response.back().resize(std::size_t(plan.order) / 2 + 1);
  }
  return response;
}

/// The voxels of the plan that look like one tissue, without outliers.
struct TissueVoxels {
  std::vector<Decaying> white, gray, csf;
};

TissueVoxels divideByDecay(const TissueScan& scan, const Progress& progress) {
  const auto voxels = inner(scan.plan);
  const auto directions = directionsOf(scan.shells.gradients, scan.plan.weighted);
  const auto anisotropies =
      fractionalAnisotropies(scan.dwi, scan.plan, voxels, directions, progress.part(0, 0.6, {}));
  std::vector<double> decays(voxels.size());
  parallelForBlocks(std::ssize(voxels), 1024, progress.part(0.6, 1, {}),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                        decays[i] = scan.decay(voxels[i]);
                    });
  TissueVoxels found;
  std::vector<Decaying> others;
  for (std::size_t i = 0; i < voxels.size(); ++i)
    if (std::isfinite(decays[i]))
      (anisotropies[i] > kWhiteMatterAnisotropy ? found.white : others).push_back({voxels[i], decays[i]});
  const double threshold = others.empty() ? 0 : otsuThreshold(others);
  for (const auto& v : others) (v.decay > threshold ? found.csf : found.gray).push_back(v);
  found.white = withoutOutliers(found.white, false);
  found.gray = withoutOutliers(found.gray, true);
  return found;
}

}  // namespace

std::vector<int> ScanShells::volumesOf(int shell, std::span<const int> weighted) const {
  std::vector<int> volumes;
  for (std::size_t i = 0; i < weighted.size(); ++i)
    if (shellOf[i] == shell) volumes.push_back(weighted[i]);
  return volumes;
}

int ScanShells::largest() const {
  int best = 1;
  const auto count = [&](int shell) { return std::count(shellOf.begin(), shellOf.end(), shell); };
  for (int shell = 1; shell < int(b.size()); ++shell)
    if (count(shell) >= count(best)) best = shell;
  return best;
}

ScanShells scanShells(const GradientTable& gradients, std::span<const Shell> shells,
                      std::span<const int> weighted) {
  ScanShells scan{{0}, {}, gradients};
  std::vector<int> shellOf(gradients.rows.size(), 0);
  for (const auto& shell : shells) {
    scan.b.push_back(shell.b);
    for (const int volume : shell.volumes) shellOf[volume] = int(scan.b.size()) - 1;
  }
  for (const int volume : weighted) scan.shellOf.push_back(shellOf[volume]);
  return scan;
}

void checkTissueResponses(std::span<const TissueResponse> responses, const ScanShells& shells,
                          const std::string& origin, Notes& notes) {
  const Message whatToDo =
      "give the responses of white matter, gray matter and CSF ({response}, {response-gm}, {response-csf}), "
      "or take model csd"_message;
  for (std::size_t t = 0; t < responses.size(); ++t)
    for (std::size_t shell = 0; shell < responses[t].size(); ++shell) {
      const double signal = meanSignal(responses[t], shell);
      if (!(signal > 0) || (shell > 0 && !(signal < meanSignal(responses[t], shell - 1) +
                                                        kNoiseFloor * meanSignal(responses[t]))))
        throw Error(text("The ", origin, " response of ", kTissueNames[t], " is not monotonic"),
                    text("its mean signal at b = ", std::lround(shells.b[shell]), " s/mm² is ", signal,
                         ", which is not above 0, or not below that of the shell before"),
                    whatToDo);
    }
  std::vector<double> white = responses[0].back();
  for (double& r : white) r /= meanSignal(responses[0]);
  checkResponse(white, "The " + origin + " response of white matter");
  if (responses[1].empty() || responses[2].empty()) return;
  const double decays[] = {decayOf(responses[0], shells), decayOf(responses[1], shells),
                           decayOf(responses[2], shells)};
  if (!(decays[2] > kLeastCsfRatio * decays[1]))
    throw Error(text("The ", origin, " responses of gray matter and CSF are too alike"),
                text("ln(S0/S) is ", decays[1], " in one and ", decays[2], " in the other"), whatToDo);
  if (!(decays[1] > decays[0]))
    notes.push_back(Note::warning(
        text("the ", origin, " response of gray matter decays no faster than that of white matter (ln(S0/S) ",
             decays[1], " and ", decays[0], "); fractions of the two may be exchanged.")));
}

TissueResponses estimateTissues(const Series<float>& dwi, const FiberPlan& plan,
                                const std::vector<float>& signal, const ScanShells& shells,
                                TissuesWanted wanted, const Progress& progress) {
  const TissueScan scan{dwi, plan, signal, shells};
  const auto [white, gray, csf] = divideByDecay(scan, progress.part(0, 0.5, {}));
  TissueResponses found;
  const std::vector<Decaying>* const tissues[] = {&white, &gray, &csf};
  const bool isWanted[] = {true, wanted.gray, wanted.csf};
  for (std::size_t t = 0; t < kTissues; ++t)
    if (isWanted[t]) requireTissueVoxels(tissues[t]->size(), kTissueNames[t], found.notes);

  const auto single = singleFibers(scan, white, progress.part(0.5, 1, {}));
  found.voxels = {single.voxels, {}, {}};
  if (wanted.gray) {
    const double median = quantileOf(gray, 0.5);
    found.voxels[1] = lowest(gray, kGrayShare, [&](double d) { return std::abs(d - median); });
  }
  if (wanted.csf) found.voxels[2] = lowest(csf, kCsfShare, [](double d) { return -d; });
  found.responses.push_back(fiberResponse(scan, single));
  for (std::size_t t = 1; t < kTissues; ++t)
    found.responses.push_back(isWanted[t] ? isotropicResponse(scan, found.voxels[t]) : TissueResponse());
  const auto count = [&](std::size_t t) {
    return text(found.voxels[t].size(), " voxels of ", kTissueNames[t], " (of ", tissues[t]->size(), ")");
  };
  static_assert(kTissues == 3);
  std::string from = count(0);
  for (std::size_t t = 1; t < kTissues; ++t)
    if (isWanted[t]) from += (t + 1 < kTissues && wanted.csf ? ", " : " and ") + count(t);
  found.notes.insert(found.notes.begin(), text("The responses come from ", from, "."));
  for (Note& warning : warningsIn(single.notes)) found.notes.push_back(std::move(warning));
  checkTissueResponses(found.responses, shells, "estimated", found.notes);
  return found;
}

}  // namespace sulcus::fibers
