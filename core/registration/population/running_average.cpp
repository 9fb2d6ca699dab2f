#include "core/registration/population/running_average.h"

#include "core/image/grids/value_check.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/preparation/intensity.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sulcus::registration {
namespace {

constexpr float kHuber = 1.5f;            // s.d. beyond which a value counts less
constexpr float kSmallestSpread = 0.02f;  // relative to the brightness of the object

/// Normalizes the brightness of an image: (value − dark) / (bright − dark).
struct TwoLevels {
  double dark = 0;    ///< the mean outside of the object if below 0, as in CT; else 0
  double bright = 0;  ///< the mean in the object
};

TwoLevels levelsIn(const Volume<float>& image, const Mask& object) {
  const bool everywhere = object.values.empty();
  double threshold = 0;
  if (everywhere) {
    double sum = 0, count = 0;
    for (const float value : image.values)
      if (isSound(value)) sum += value, ++count;
    threshold = sum / std::max(count, 1.0);
  }
  double in = 0, out = 0, countIn = 0, countOut = 0;
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const float value = image.values[i];
    if (!isSound(value)) continue;
    const bool isIn = everywhere ? value > threshold : object.values[i] != 0;
    (isIn ? in : out) += value;
    ++(isIn ? countIn : countOut);
  }
  return {std::min(0.0, out / std::max(countOut, 1.0)), in / std::max(countIn, 1.0)};
}

}  // namespace

RunningAverage::RunningAverage(const Grid& grid, const Mask& object, const Volume<float>* mean,
                               const Volume<float>* sd)
    : object_(object), before_(mean), spread_(sd), weight_(grid), sum_(grid), squares_(grid) {}

void RunningAverage::add(const Volume<float>& image) {
  const TwoLevels levels = levelsIn(image, object_);
  const double range = levels.bright - levels.dark;
  ++images_;
  dark_ += levels.dark;
  brightness_ += range;
  const auto dark = float(levels.dark), scale = float(range > 0 ? 1 / range : 1);
  forEachVoxel(image.values.size(), [&](std::size_t i) {
    const float value = scale * (image.values[i] - dark);
    if (!isSound(value)) return;
    float weight = 1;
    if (before_) {
      const float reach = kHuber * std::max(spread_->values[i], kSmallestSpread);
      const float distance = std::abs(value - before_->values[i]);
      if (distance > reach) weight = reach / distance;
    }
    weight_.values[i] += weight;
    sum_.values[i] += weight * value;
    squares_.values[i] += weight * value * value;
  });
}

Volume<float> RunningAverage::mean() const {
  Volume<float> mean(sum_.grid);
  for (std::size_t i = 0; i < mean.values.size(); ++i)
    if (weight_.values[i] > 0) mean.values[i] = sum_.values[i] / weight_.values[i];
  return mean;
}

Volume<float> RunningAverage::sd() const {
  Volume<float> sd(sum_.grid);
  for (std::size_t i = 0; i < sd.values.size(); ++i)
    if (const float weight = weight_.values[i]; weight > 0) {
      const float mean = sum_.values[i] / weight;
      sd.values[i] = std::sqrt(std::max(0.f, squares_.values[i] / weight - mean * mean));
    }
  return sd;
}

LabelVote::LabelVote(const Grid& grid) : grid_(grid), candidates_(std::size_t(grid.voxels()) * kCandidates) {}

void LabelVote::add(const Volume<Label>& labels) {
  std::map<Label, std::int32_t> indices;
  for (std::size_t k = 0; k < known_.size(); ++k) indices[known_[k]] = std::int32_t(k);
  Label last = 0;
  std::int32_t index = -1;
  for (std::size_t v = 0; v < labels.values.size(); ++v) {
    if (const Label label = labels.values[v]; index < 0 || label != last) {
      const auto [found, isNew] = indices.emplace(label, std::int32_t(known_.size()));
      if (isNew) known_.push_back(label);
      last = label;
      index = found->second;
    }
    Candidate* const own = &candidates_[v * kCandidates];
    Candidate* const end = own + kCandidates;
    Candidate* place =
        std::find_if(own, end, [&](const Candidate& c) { return c.votes > 0 && c.index == index; });
    if (place == end) place = std::find_if(own, end, [](const Candidate& c) { return c.votes == 0; });
    if (place == end) {
      for (Candidate* c = own; c < end; ++c) --c->votes;
    } else {
      place->index = index, ++place->votes;
    }
  }
}

Volume<Label> LabelVote::winners() const {
  Volume<Label> winners(grid_);
  for (std::size_t v = 0; v < winners.values.size(); ++v) {
    std::int32_t most = 0;
    for (int k = 0; k < kCandidates; ++k) {
      const Candidate& candidate = candidates_[v * kCandidates + std::size_t(k)];
      if (candidate.votes == 0 || candidate.votes < most) continue;
      const Label label = known_[candidate.index];
      if (candidate.votes > most || label < winners.values[v]) winners.values[v] = label;
      most = candidate.votes;
    }
  }
  return winners;
}

}  // namespace sulcus::registration
