#include "core/preparation/distortion/anatomy.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"
#include "core/preparation/distortion/distortion_steps.h"
#include "core/preparation/distortion/unwarp.h"
#include "core/preparation/mean_volume.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace sulcus::preparation {
namespace {

constexpr int kAnatomyRounds = 5;
constexpr double kSure = 0.1;        // EpiImage: of 1, 0.3, 0.1 and 0.03, the value with the smallest errors
constexpr double kSmooth = 5;        // mm, s.d., for the final field
constexpr double kSurroundings = 5;  // mm, s.d.: distinguishes fluid from air
constexpr int kLevels = 24, kOuterLevels = 8;  // of brightness, and of the brightness of the surroundings
constexpr double kBrightest = 0.995;           // quantile at which brightness is clipped

Volume<float> smoothedBy(const Volume<float>& image, double mm) {
  const Vec3<double> spacing = image.grid.spacing();
  return {image.grid, registration::smoothed(image.values, image.grid.size,
                                             {mm / spacing.x, mm / spacing.y, mm / spacing.z}, {})};
}

/// The anatomy sampled on this grid.
Volume<float> seenOn(const Grid& grid, const Volume<float>& anatomy, const Affine& anatomyFromGrid) {
  constexpr double kHalf = 0.4;  // s.d. of the Gaussian, relative to the width of a voxel
  const Vec3<double> wide = grid.spacing(), fine = anatomy.grid.spacing();
  Vec3<double> sigma;
  for (int i = 0; i < 3; ++i) {
    const double ratio = std::cbrt(wide.x * wide.y * wide.z) / fine[i];
    sigma[i] = ratio > 1 ? kHalf * std::sqrt(ratio * ratio - 1) : 0;
  }
  const Volume<float> smooth(anatomy.grid,
                             registration::smoothed(anatomy.values, anatomy.grid.size, sigma, {}));
  return registration::resampled(smooth, grid, anatomyFromGrid, {Interpolation::linear, 0.f}, nullptr, {});
}

/// The position of a value between levels, from 0 to the last one.
struct LevelPosition {
  int low;
  double part;  ///< weight of the next level
};

class Brightness {
 public:
  Brightness(const Volume<float>& image, int levels) : image_(image), levels_(levels) {
    std::vector<float> values;
    for (const float value : image.values)
      if (value > 0) values.push_back(value);
    unit_ = values.empty() ? 0 : interpolatedQuantile(std::span(values), kBrightest);
  }
  LevelPosition at(std::size_t voxel) const {
    const double share = unit_ > 0 ? std::clamp(double(image_.values[voxel]) / unit_, 0.0, 1.0) : 0;
    const double place = share * (levels_ - 1);
    const int low = std::min(int(place), levels_ - 2);
    return {low, place - low};
  }

 private:
  const Volume<float>& image_;
  int levels_;
  double unit_ = 0;
};

/// The anatomy with the contrast of `image`: in each voxel the mean of `image` where the anatomy and its
/// surroundings have the same brightness.
Volume<float> inContrastOf(const Volume<float>& image, const Volume<float>& anatomy) {
  const Volume<float> around = smoothedBy(anatomy, kSurroundings);
  const Brightness own(anatomy, kLevels), outer(around, kOuterLevels);
  std::vector<double> sums(std::size_t(kLevels) * kOuterLevels, 0), weights(sums.size(), 0);
  const auto eachCell = [&](std::size_t voxel, const auto& visit) {
    const LevelPosition p = own.at(voxel), q = outer.at(voxel);
    const double ofOwn[] = {1 - p.part, p.part}, ofOuter[] = {1 - q.part, q.part};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        visit(std::size_t((p.low + i) * kOuterLevels + q.low + j), ofOwn[i] * ofOuter[j]);
  };
  for (std::size_t v = 0; v < image.values.size(); ++v)
    if (isSound(image.values[v]))
      eachCell(v, [&](std::size_t cell, double weight) {
        sums[cell] += weight * double(image.values[v]);
        weights[cell] += weight;
      });
  Volume<float> result(image.grid);
  for (std::size_t v = 0; v < result.values.size(); ++v) {
    double sum = 0, weight = 0;
    eachCell(v, [&](std::size_t cell, double part) {
      if (!(weights[cell] > 0)) return;
      sum += part * sums[cell] / weights[cell];
      weight += part;
    });
    result.values[v] = weight > 0 ? float(sum / weight) : 0.f;
  }
  return result;
}

double roundedPercent(double percent) { return std::round(10 * percent) / 10; }

/// Which share of the variance of an image its likeness explains.
double explainedShare(const Volume<float>& image, const Volume<float>& likeness) {
  double count = 0, sum = 0, squares = 0, off = 0;
  for (std::size_t v = 0; v < image.values.size(); ++v) {
    if (!isSound(image.values[v])) continue;
    const double value = image.values[v], difference = value - double(likeness.values[v]);
    ++count;
    sum += value;
    squares += value * value;
    off += difference * difference;
  }
  const double variance = count > 0 ? squares - sum * sum / count : 0;
  return variance > 0 ? 1 - off / variance : 0;
}

}  // namespace

DistortionField findDistortionByAnatomy(const EpiImage& epi, const Volume<float>& anatomy,
                                        FindDistortion& find, const Progress& progress) {
  const Volume<float> head = withoutUnsound(anatomy), image = withoutUnsound(epi.image);
  PhaseEncoding still = epi.encoding;
  still.readoutTime = 0;
  DistortionField found;
  Volume<float> straight = image;
  std::optional<Affine> anatomyFromImage;
  std::optional<double> before;
  double after = 0;
  for (int round = 0; round < kAnatomyRounds; ++round) {
    const Progress part =
        progress.part(double(round) / kAnatomyRounds, (round + 1.0) / kAnatomyRounds, "distortion");
    anatomyFromImage = registration::alignLinearly(
        Series<float>(head), Series<float>(withoutUnsound(straight)), {nullptr},
        {registration::LinearAlignment::rigid}, anatomyFromImage, part.part(0, 0.4, "distortion"));
    const Volume<float> seen = seenOn(image.grid, head, *anatomyFromImage);
    const Volume<float> likeness = inContrastOf(straight, seen);
    if (!before) before = explainedShare(straight, likeness);
    found = find({image, epi.encoding}, {likeness, still, kSure}, part.part(0.4, 1, "distortion"));
    straight = unwarped(image, unwarpOf(found.hertz, epi.encoding));
    after = explainedShare(straight, inContrastOf(straight, seen));
  }
  if (!(after > *before))
    throw Error("The anatomy is no more like the series after distortion is taken out by it",
                "what they differ by is not distortion",
                "give an image of opposite phase encoding or a field map");
  found.notes = {text("The anatomy explains ", roundedPercent(100 * *before),
                      " % of the variance of the image before, ", roundedPercent(100 * after),
                      " % after distortion is taken out.")};
  found.hertz = smoothedBy(found.hertz, kSmooth);
  const float even = medianInHead(found.hertz, image);
  for (float& value : found.hertz.values) value -= even;
  return found;
}

}  // namespace sulcus::preparation
