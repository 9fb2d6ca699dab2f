#include "core/fibers/response/response.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/deconvolution/deconvolve.h"
#include "core/fibers/models/models.h"
#include "core/fibers/peaks/find_peaks.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::fibers {
namespace {

constexpr std::int64_t kMostVoxels = 300;      // number of voxels used for the response
constexpr std::int64_t kCandidates = 10;       // number of voxels deconvolved for each one chosen
constexpr std::int64_t kVoxelsPerBlock = 256;  // voxels; a few milliseconds of work
constexpr int kMostRounds = 10;
constexpr int kLargestRefiningOrder = 6;
constexpr int kRefiningStarts = 16;
// A response is rejected with a larger ratio of the signal along a fiber to that across, or a mean signal
// S/S0 beyond these limits: no usual unit leads to it.
constexpr double kFlatResponse = 0.9, kSmallestSignal = 1e-6, kLargestSignal = 1e3;
// Below these, a response is doubtful.
constexpr std::int64_t kFewVoxels = 50;
constexpr float kLowAnisotropy = 0.5f;
// A low anisotropy is due to the scan (newborns, high b) rather than to crossings if the tensors are longest
// along one axis: (λ₁ − λ₂)/(λ₁ − λ₃) is 0 where fibers cross at right angles, 1 for a single fiber, and 0.5
// to 0.6 for pure noise, whose response is blunt.
constexpr float kSingleShape = 0.6f, kClearShape = 0.7f;
constexpr double kBluntResponse = 0.7;  // ratio of the signal along to that across

/// Fractional anisotropy of a tensor given as xx, xy, xz, yy, yz, zz; 0 if it is not positive definite.
float positiveFractionalAnisotropy(const Eigen::Ref<const Eigen::VectorXf>& d) {
  const float minor = d[0] * d[3] - d[1] * d[1];
  const float determinant = d[0] * (d[3] * d[5] - d[4] * d[4]) - d[1] * (d[1] * d[5] - d[4] * d[2]) +
                            d[2] * (d[1] * d[4] - d[3] * d[2]);
  if (!(d[0] > 0 && minor > 0 && determinant > 0)) return 0;
  const float mean = (d[0] + d[3] + d[5]) / 3, offDiagonal = d[1] * d[1] + d[2] * d[2] + d[4] * d[4];
  const float square = d[0] * d[0] + d[3] * d[3] + d[5] * d[5] + 2 * offDiagonal;
  return std::sqrt(std::max(0.0f, 1.5f * (square - 3 * mean * mean) / square));
}

/// Fits diffusion tensors (6 × voxels) to ratios S/S0 (n × voxels).
class TensorFit {
 public:
  TensorFit(const FiberPlan& plan, std::span<const Vec3<double>> directions) : bValues_(plan.bValues) {
    const auto model = linearModel(FiberModel::adc, 2, directions);
    fit_ = (model.tensorFromCoefficients * model.fit).cast<float>();
  }
  Eigen::MatrixXf operator()(Eigen::MatrixXf t) const {
    for (Eigen::Index i = 0; i < t.rows(); ++i)
      for (Eigen::Index j = 0; j < t.cols(); ++j)
        t(i, j) = transformRatio(SignalTransform::adc, t(i, j), bValues_[i]);
    return fit_ * t;
  }

 private:
  const std::vector<float>& bValues_;
  Eigen::MatrixXf fit_;
};

/// Eigenvalues and eigenvectors of a tensor given as xx, xy, xz, yy, yz, zz.
SymmetricEigen3 eigenOf(const Eigen::VectorXd& d) {
  return symmetricEigen3(
      (Eigen::Matrix3d() << d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]).finished());
}

/// The fractional anisotropies of the fitted tensors of some voxels.
std::vector<float> anisotropiesOf(const Series<float>& dwi, const FiberPlan& plan,
                                  std::span<const std::int64_t> voxels, const TensorFit& fit,
                                  const Progress& progress) {
  std::vector<float> anisotropies(voxels.size());
  parallelForBlocks(std::ssize(voxels), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    const auto block = voxels.subspan(begin, end - begin);
    const Eigen::MatrixXf d = fit(signalRatios(dwi, plan.unweighted, plan.weighted, block));
    for (std::int64_t i = begin; i < end; ++i)
      anisotropies[i] = positiveFractionalAnisotropy(d.col(i - begin));
  });
  return anisotropies;
}

/// The candidate voxels for the response, most anisotropic first.
struct Candidates {
  std::vector<std::int64_t> voxels;  ///< grid indices
  std::vector<float> anisotropy;     ///< fractional
  Eigen::MatrixXf ratios;            ///< S/S0, n × voxels
  std::int64_t taken = 0;            ///< number of voxels to use for the response
};

Candidates mostAnisotropic(const Series<float>& dwi, const FiberPlan& plan, const std::vector<float>& signal,
                           const TensorFit& fit, const Progress& progress) {
  std::vector<float> unweighted;
  unweighted.reserve(plan.voxels.size());
  for (const auto voxel : plan.voxels) unweighted.push_back(signal[voxel]);
  const float leastSignal = unweighted.empty() ? 0 : 0.5f * lowerQuantile(std::span(unweighted), 0.5);
  const std::vector<float> anisotropy = anisotropiesOf(dwi, plan, plan.voxels, fit, progress);
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < std::ssize(plan.voxels); ++i)
    if (signal[plan.voxels[i]] >= leastSignal && anisotropy[i] > 0) order.push_back(i);
  if (order.empty())
    throw Error("No voxel has a diffusion tensor with positive eigenvalues",
                "csd takes the signal of a single fiber from the most anisotropic ones",
                "check the gradients and the mask, or take another model");
  const auto positive = std::int64_t(order.size());
  Candidates candidates;
  candidates.taken = std::min(positive, std::clamp<std::int64_t>(positive / 10, 10, kMostVoxels));
  const auto kept = std::min(positive, kCandidates * candidates.taken);
  std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&](std::int64_t a, std::int64_t b) {
    return anisotropy[a] != anisotropy[b] ? anisotropy[a] > anisotropy[b] : a < b;
  });
  for (std::int64_t i = 0; i < kept; ++i) {
    candidates.voxels.push_back(plan.voxels[order[i]]);
    candidates.anisotropy.push_back(anisotropy[order[i]]);
  }
  candidates.ratios = signalRatios(dwi, plan.unweighted, plan.weighted, candidates.voxels);
  return candidates;
}

/// A candidate accepted as a single fiber.
struct SingleFiber {
  std::int64_t candidate;
  Vec3<double> axis;
};

std::vector<SingleFiber> firstSingleFibers(const Candidates& candidates, const TensorFit& fit) {
  const Eigen::MatrixXd d = fit(candidates.ratios.leftCols(candidates.taken)).cast<double>();
  std::vector<SingleFiber> fibers;
  for (std::int64_t i = 0; i < candidates.taken; ++i) {
    const Eigen::Vector3d axis = eigenOf(d.col(i)).vectors.col(2);
    fibers.push_back({i, {axis[0], axis[1], axis[2]}});
  }
  return fibers;
}

/// The candidates most like a single fiber when deconvolved with `response`: with a large first peak p and a
/// small second one q, by the measure √p (1 − q/p)² of Tournier et al. In ascending order.
std::vector<SingleFiber> singleFibers(const Candidates& candidates, const std::vector<double>& response,
                                      std::span<const Vec3<double>> directions, const Progress& progress) {
  const int order = std::min(2 * int(response.size()) - 2, kLargestRefiningOrder);
  const CsdPlan plan = planCsd(order, {response.begin(), response.begin() + order / 2 + 1}, directions);
  const Eigen::MatrixXf tensorFromHarmonics = tensorFromSh(order).cast<float>();
  Grid grid;
  grid.size = {int(candidates.voxels.size()), 1, 1};
  Series<float> tensor(grid, tensorEntries(order));
  parallelForBlocks(
      grid.voxels(), kVoxelsPerBlock, progress.part(0, 0.6, {}), [&](std::int64_t begin, std::int64_t end) {
        const Eigen::MatrixXf block =
            tensorFromHarmonics * deconvolve(plan, candidates.ratios.middleCols(begin, end - begin));
        for (int u = 0; u < tensor.count; ++u)
          for (std::int64_t i = begin; i < end; ++i) tensor.at(i, u) = block(u, i - begin);
      });
  FiberOptions options;
  options.starts = kRefiningStarts;
  options.maxPeaks = 2;
  options.relativeThreshold = 0;
  const PeakMaps found = findPeaks(tensor, Mask(grid, 1), options, progress.part(0.6, 1, {}));

  std::vector<std::pair<double, SingleFiber>> measured;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const auto peak = [&](int p) {
      return Vec3<double>{found.peaks.at(i, 3 * p), found.peaks.at(i, 3 * p + 1),
                          found.peaks.at(i, 3 * p + 2)};
    };
    const double first = norm(peak(0)), second = found.count.values[i] > 1 ? norm(peak(1)) : 0;
    if (!(first > 0)) continue;
    const double single = 1 - second / first;
    measured.push_back({std::sqrt(first) * single * single, {i, normalized(peak(0))}});
  }
  std::stable_sort(measured.begin(), measured.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<SingleFiber> fibers;
  for (const auto& [measure, fiber] : measured)
    if (std::int64_t(fibers.size()) < candidates.taken) fibers.push_back(fiber);
  std::sort(fibers.begin(), fibers.end(),
            [](const auto& a, const auto& b) { return a.candidate < b.candidate; });
  return fibers;
}

std::vector<double> fitted(const Candidates& candidates, const std::vector<SingleFiber>& fibers, int order,
                           std::span<const Vec3<double>> directions, const Progress& progress) {
  std::vector<ResponseSample> samples;
  for (const auto& fiber : fibers) {
    const auto ratios = candidates.ratios.col(fiber.candidate);
    samples.push_back({{ratios.data(), ratios.data() + ratios.size()}, fiber.axis});
  }
  return fitResponse(order, directions, samples, progress);
}

bool sameVoxels(const std::vector<SingleFiber>& a, const std::vector<SingleFiber>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.candidate == y.candidate; });
}

/// (λ₁ − λ₂)/(λ₁ − λ₃) of a tensor.
float shapeOf(const Eigen::VectorXd& d) {
  const Eigen::Vector3d l = eigenOf(d).values;
  return float((l[2] - l[1]) / std::max(l[2] - l[0], 1e-30));
}

/// Writes the voxels and axes of fibers, whose voxels are sorted.
void setFibers(const Candidates& candidates, std::vector<SingleFiber>& fibers, FiberResponse& response) {
  std::ranges::sort(fibers, {}, [&](const SingleFiber& fiber) { return candidates.voxels[fiber.candidate]; });
  for (const auto& fiber : fibers) {
    response.axes.push_back(fiber.axis);
    response.voxels.push_back(candidates.voxels[fiber.candidate]);
  }
}

/// Notes on the response, its origin, and doubts about it.
Notes notesOn(const std::vector<double>& response, std::vector<float> anisotropy, std::vector<float> shapes,
              int rounds) {
  const std::size_t count = anisotropy.size();
  const float median = upperMedian(std::span(anisotropy));
  const auto [least, most] = std::minmax_element(anisotropy.begin(), anisotropy.end());
  Notes notes{text("Response of a single fiber (zonal harmonics, S/S0): ", termsText(response), "; from the ",
                   count, " voxels most like a single fiber, FA ", *least, "–", *most, ", chosen in ", rounds,
                   " rounds.")};
  std::string doubts;
  if (std::int64_t(count) < kFewVoxels) doubts = text("it comes from only ", count, " voxels");
  const float shape = upperMedian(std::span(shapes));
  const bool isBlunt = responseAt(response, 0) > kBluntResponse * responseAt(response, std::numbers::pi / 2);
  if (median < kLowAnisotropy && (shape < kSingleShape || (shape < kClearShape && isBlunt)))
    doubts += text(doubts.empty() ? "" : " and ", "half of its voxels have an FA below ", median,
                   ", without one axis that stands out");
  if (!doubts.empty())
    notes.push_back(Note::warning("the response may not be that of a single fiber: " + doubts +
                                      "; the peaks would have wrong amplitudes and directions.",
                                  "Give a response, or a mask with more white matter.", "response"));
  return notes;
}

}  // namespace

std::vector<float> fractionalAnisotropies(const Series<float>& dwi, const FiberPlan& plan,
                                          std::span<const std::int64_t> voxels,
                                          std::span<const Vec3<double>> directions,
                                          const Progress& progress) {
  return anisotropiesOf(dwi, plan, voxels, TensorFit(plan, directions), progress);
}

std::string termsText(std::span<const double> zonal) {
  std::string terms;
  for (const double r : zonal) terms += text(terms.empty() ? "" : ", ", r);
  return terms;
}

double responseAt(std::span<const double> zonal, double angle) {
  double signal = 0;
  for (std::size_t i = 0; i < zonal.size(); ++i)
    signal += zonal[i] * zonalHarmonic(2 * int(i), std::cos(angle));
  return signal;
}

void checkResponse(std::span<const double> zonal, const std::string& origin) {
  const bool isFinite = std::all_of(zonal.begin(), zonal.end(), [](double r) { return std::isfinite(r); });
  if (!isFinite || zonal.empty() || !(zonal[0] > 0))
    throw Error(origin + " is not a signal", "its mean over all directions is not above 0",
                "give the response of a single fiber to {response}"_message);
  const double mean = zonal[0] * std::sqrt(0.25 / std::numbers::pi);
  if (!(mean >= kSmallestSignal && mean <= kLargestSignal))
    throw Error(
        text(origin, " is ", mean, " of S0 on average"), "no scan has such a signal",
        "give the response of a single fiber to {response}, in the unit of the scan or as S/S0"_message);
  for (std::size_t i = 1; i < zonal.size(); ++i)
    if (!(std::abs(zonal[i]) <= 2 * std::sqrt(4. * double(i) + 1) * zonal[0]))
      throw Error(text(origin, " is not a signal: its term of order ", 2 * i, " is ", zonal[i],
                       ", that of 0 ", zonal[0]),
                  "along some direction it is far below 0",
                  "give the response of a single fiber to {response}"_message);
  const double along = responseAt(zonal, 0), across = responseAt(zonal, std::numbers::pi / 2);
  if (!(along < kFlatResponse * across))
    throw Error(
        origin + " is flat",
        text("the signal along the fiber is ", along, " of S0, across it ", across,
             "; nothing can be deconvolved with that"),
        "give the response of a single fiber to {response}, check gradients and mask, or take another "
        "model"_message);
}

FiberResponse mostAnisotropicFibers(const Series<float>& dwi, const FiberPlan& plan,
                                    const std::vector<float>& signal,
                                    std::span<const Vec3<double>> directions, const Progress& progress) {
  const TensorFit fit(plan, directions);
  const Candidates candidates = mostAnisotropic(dwi, plan, signal, fit, progress);
  auto fibers = firstSingleFibers(candidates, fit);
  FiberResponse found;
  setFibers(candidates, fibers, found);
  return found;
}

FiberResponse estimateResponse(const Series<float>& dwi, const FiberPlan& plan,
                               const std::vector<float>& signal, std::span<const Vec3<double>> directions,
                               const Progress& progress) {
  const TensorFit fit(plan, directions);
  const Candidates candidates = mostAnisotropic(dwi, plan, signal, fit, progress.part(0, 0.5, {}));
  auto fibers = firstSingleFibers(candidates, fit);
  FiberResponse response;
  response.zonal = fitted(candidates, fibers, plan.order, directions, progress.part(0.5, 0.55, {}));
  checkResponse(response.zonal, "The response of this scan");
  int rounds = 0;
  for (bool changes = true; changes && rounds < kMostRounds; ++rounds) {
    const Progress round = progress.part(0.55 + 0.045 * rounds, 0.55 + 0.045 * (rounds + 1), {});
    auto next = singleFibers(candidates, response.zonal, directions, round.part(0, 0.9, {}));
    if (next.empty()) break;
    response.zonal = fitted(candidates, next, plan.order, directions, round.part(0.9, 1, {}));
    checkResponse(response.zonal, "The response of this scan");
    changes = !sameVoxels(next, fibers);
    fibers = std::move(next);
  }
  setFibers(candidates, fibers, response);
  std::vector<float> anisotropy, shapes;
  for (const auto& fiber : fibers) {
    shapes.push_back(shapeOf(fit(candidates.ratios.col(fiber.candidate)).col(0).cast<double>()));
    anisotropy.push_back(candidates.anisotropy[fiber.candidate]);
  }
  response.notes = notesOn(response.zonal, anisotropy, shapes, rounds);
  return response;
}

}  // namespace sulcus::fibers
