#include "core/registration/preparation/bias_field.h"

#include "core/base/sentence.h"
#include "core/math/statistics.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::registration {
namespace {

constexpr double kLargestSigma = 30;         // of the Gaussian, mm
constexpr double kSigmaPerRadius = 1.35;     // at most, of the objectRadius()
constexpr double kSpacingPerSigma = 1 / 5.;  // of the coarse grid on which sums are smoothed, at most
constexpr int kRounds = 3;                   // see fittedBiasField()
constexpr double kPrior = 1e-3;              // weight of b = 1 relative to the object's own
constexpr float kLargestFactor = 10;         // for a credible field
constexpr double kDeviant = 2.385;  // standard deviations at which a voxel counts half (Cauchy's weight)

/// An image smoothed by the Gaussian, on a coarse grid.
///
/// @param width  σ of the Gaussian, mm
Volume<float> smoothedCoarsely(std::vector<float> image, Grid grid, double width, const Progress& progress) {
  for (;;) {
    const Grid next = coarser(grid);
    if (next.size == grid.size || finestSpacing(next) > kSpacingPerSigma * width) break;
    image = coarsened(image, std::vector<std::uint8_t>(), grid, next, progress);
    grid = next;
  }
  Vec3<double> sigma;
  for (int i = 0; i < 3; ++i) sigma[i] = grid.size[i] > 1 ? width / grid.spacing()[i] : 0;
  return {grid, smoothed(image, grid.size, sigma, progress)};
}

Volume<float> onGrid(const Volume<float>& field, const Grid& grid, const Affine& fieldFromGrid,
                     const Progress& progress) {
  return resampled(field, grid, fieldFromGrid, {Interpolation::linear}, nullptr, progress);
}

/// Divides a field by its geometric mean in a region and limits it to credible values.
void normalize(std::vector<float>& field, const std::vector<std::uint8_t>& region) {
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (!region[i]) continue;
    sum += std::log(field[i]);
    ++n;
  }
  const auto scale = float(n > 0 ? std::exp(-sum / n) : 1);
  for (float& b : field) b = std::clamp(scale * b, 1 / kLargestFactor, kLargestFactor);
}

/// The weight of each voxel of the foreground: it decreases with the difference of the images, since changes
/// of the object itself are not bias.
std::vector<float> weightsByAgreement(const std::vector<float>& moving, const std::vector<float>& reference,
                                      const std::vector<std::uint8_t>& foreground) {
  std::vector<float> distances;
  for (std::size_t i = 0; i < moving.size(); ++i)
    if (foreground[i]) distances.push_back(std::abs(moving[i] - reference[i]));
  std::vector<float> weights(moving.size());
  if (distances.empty()) return weights;
  const double deviation = kDeviationPerMedian * double(upperMedian(distances));
  for (std::size_t i = 0; i < moving.size(); ++i) {
    if (!foreground[i]) continue;
    const double off = deviation > 0 ? double(moving[i] - reference[i]) / (kDeviant * deviation) : 0;
    weights[i] = float(1 / (1 + off * off));
  }
  return weights;
}

/// The products whose smoothed ratio is that of reference and moving image, and their sums.
struct RatioTerms {
  std::vector<float> products, squares;
  double productSum = 0, squareSum = 0;
};
RatioTerms ratioTerms(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& foreground, const std::vector<float>& weights) {
  RatioTerms terms{std::vector<float>(moving.size()), std::vector<float>(moving.size())};
  for (std::size_t i = 0; i < moving.size(); ++i) {
    if (!foreground[i]) continue;
    const float weighted = weights[i] * moving[i];
    terms.products[i] = weighted * reference[i];
    terms.squares[i] = weighted * moving[i];
    terms.productSum += terms.products[i];
    terms.squareSum += terms.squares[i];
  }
  return terms;
}

}  // namespace

Volume<float> fittedBiasField(const std::vector<float>& moving, const std::vector<float>& reference,
                              const std::vector<std::uint8_t>& compared, const Grid& grid,
                              IntensityMatch match, const Progress& progress) {
  const double dark = std::max(0.0, foregroundThreshold(reference, compared));
  Volume<float> field(grid, 1.f);
  double gain = 1;  // of the moving image, if nothing else matches it
  for (int round = 0; round < kRounds; ++round) {
    std::vector<float> matched(moving.size());
    for (std::size_t i = 0; i < matched.size(); ++i) matched[i] = float(gain) * field.values[i] * moving[i];
    matchIntensities(matched, reference, compared, match);
    const double movingDark = std::max(0.0, foregroundThreshold(matched, compared));
    std::vector<std::uint8_t> foreground(matched.size());
    for (std::size_t i = 0; i < matched.size(); ++i)
      foreground[i] = compared[i] && reference[i] > dark && matched[i] > movingDark;
    // In the first round, bias is the largest difference.
    const std::vector<float> weights = round == 0 ? std::vector<float>(foreground.begin(), foreground.end())
                                                  : weightsByAgreement(matched, reference, foreground);
    RatioTerms terms = ratioTerms(matched, reference, foreground, weights);
    if (!(terms.squareSum > 0)) break;  // no voxel is foreground in both
    const double width = std::min(kLargestSigma, kSigmaPerRadius * objectRadius(foreground, grid));
    const double overall = terms.productSum / terms.squareSum;
    const double prior = kPrior * terms.squareSum / double(matched.size());
    const Progress part = progress.part(double(round) / kRounds, double(round + 1) / kRounds, "Bias field");
    Volume<float> ratio = smoothedCoarsely(std::move(terms.products), grid, width, part);
    const Volume<float> below = smoothedCoarsely(std::move(terms.squares), grid, width, part);
    for (std::size_t i = 0; i < ratio.values.size(); ++i)
      ratio.values[i] =
          float((ratio.values[i] / overall + prior) / (std::max(0.0, double(below.values[i])) + prior));
    const Volume<float> fine = onGrid(ratio, grid, {}, part);
    for (std::size_t i = 0; i < fine.values.size(); ++i) field.values[i] *= fine.values[i];
    normalize(field.values, foreground);
    if (match == IntensityMatch::off) gain *= overall;
  }
  for (float& b : field.values) b *= float(gain);
  return field;
}

Volume<float> biasFieldRatio(const Volume<float>& ofTemplate, const Volume<float>& ofReference,
                             const Affine& templateFromReference, const std::vector<std::uint8_t>& region,
                             const Progress& progress) {
  Volume<float> field = onGrid(ofTemplate, ofReference.grid, templateFromReference, progress);
  for (std::size_t i = 0; i < field.values.size(); ++i)
    field.values[i] = ofReference.values[i] / field.values[i];
  normalize(field.values, region);
  return field;
}

std::string describeBiasField(const Volume<float>& field, const std::vector<std::uint8_t>& region) {
  std::vector<float> inside;
  for (std::size_t i = 0; i < region.size(); ++i)
    if (region[i]) inside.push_back(field.values[i]);
  if (inside.empty()) return "The bias field has no foreground to be measured in.";
  const double low = interpolatedQuantile(inside, 0.01), high = interpolatedQuantile(inside, 0.99);
  return text("The moving image was multiplied by a bias field of ", low, " to ", high,
              " (98 % of the foreground).");
}

}  // namespace sulcus::registration
