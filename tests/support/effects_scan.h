#pragma once

#include "core/activation/activation.h"
#include "tests/support/for_each_seed.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

// Functional scans with an effect of known size in known voxels, and noise of known autocorrelation.
namespace sulcus::test {

/// white · AR(1) with ρ = 0.4 · AR(1) with ρ of each voxel uniform in 0 … 0.6 · power falling as 1/f.
enum class SeriesNoise { white, ar1, mixed, pink };
enum class Paradigm { blocks, events };

struct EffectsScanOptions {
  Vec3<int> size{20, 20, 12};
  int scans = 200;
  double tr = 2;  ///< s
  Paradigm paradigm = Paradigm::blocks;
  SeriesNoise noise = SeriesNoise::white;
  double sd = 2;        ///< of the noise, percent of the mean signal
  double effect = 0;    ///< percent of the mean signal
  double share = 0.05;  ///< of voxels with the effect
  std::uint64_t seed = 1;
};

struct EffectsScan {
  activation::ActivationInput input;  ///< intercept, task, cosine drift
  std::vector<bool> active;           ///< of each voxel
};

inline double effectsNormal(Rng& rng) {
  return std::sqrt(-2 * std::log(rng.uniform(1e-300, 1))) * std::cos(2 * std::numbers::pi * rng.uniform());
}

/// `scans` numbers of variance 1.
inline std::vector<double> noiseSeries(SeriesNoise kind, int scans, Rng& rng) {
  std::vector<double> series(std::size_t(scans), 0.0);
  if (kind == SeriesNoise::pink) {
    // Fractional noise (1 − B)^(−1/2) ε, whose spectrum is |2 sin(ω/2)|⁻¹.
    constexpr int kMemory = 400;
    static const std::vector<double> weights = [] {
      std::vector<double> w{1};
      double squares = 1;
      for (int j = 1; j < kMemory; ++j) w.push_back(w.back() * (j - 0.5) / j), squares += w.back() * w.back();
      for (double& x : w) x /= std::sqrt(squares);
      return w;
    }();
    std::vector<double> white(std::size_t(scans + kMemory));
    for (double& x : white) x = effectsNormal(rng);
    for (int t = 0; t < scans; ++t)
      for (int j = 0; j < kMemory; ++j)
        series[std::size_t(t)] += weights[std::size_t(j)] * white[std::size_t(t + kMemory - j)];
    return series;
  }
  const double rho = kind == SeriesNoise::ar1 ? 0.4 : kind == SeriesNoise::mixed ? rng.uniform(0, 0.6) : 0;
  double last = effectsNormal(rng);
  for (double& x : series) {
    x = last;
    last = rho * last + std::sqrt(1 - rho * rho) * effectsNormal(rng);
  }
  return series;
}

inline activation::Design effectsDesign(const EffectsScanOptions& options) {
  TableLayer events{{"onset", "duration", "trial_type"}, {}};
  const double length = options.scans * options.tr;
  Rng rng(12345);
  if (options.paradigm == Paradigm::blocks)
    for (double at = 20; at + 20 <= length; at += 40)
      events.rows.push_back({std::to_string(at), "20", "task"});
  else
    for (double at = 4; at < length - 10; at += 4 + rng.uniform(0, 8))
      events.rows.push_back({std::to_string(at), "0", "task"});
  Layer layer;
  layer.name = "events";
  layer.content = std::move(events);
  return activation::makeDesign(layer, nullptr, options.tr, options.scans, {});
}

inline EffectsScan effectsScan(const EffectsScanOptions& options) {
  EffectsScan scan;
  Grid grid;
  grid.size = options.size;
  auto bold = std::make_shared<Series<float>>(grid, options.scans);
  scan.input.design = effectsDesign(options);
  scan.input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  // The effect is the height of the response.
  Eigen::VectorXd task = scan.input.design.matrix.col(1);
  task /= task.maxCoeff();
  Rng rng(options.seed);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const bool active = options.effect != 0 && rng.uniform() < options.share;
    scan.active.push_back(active);
    const auto noise = noiseSeries(options.noise, options.scans, rng);
    for (int t = 0; t < options.scans; ++t)
      bold->at(i, t) =
          float(100 + options.sd * noise[std::size_t(t)] + (active ? options.effect * task(t) : 0.0));
  }
  scan.input.bold = std::move(bold);
  return scan;
}

/// The share of `shown` that is not active, 0 if nothing is shown, and the share of the active voxels that is
/// shown.
struct ShownScore {
  double falseShare = 0, power = 0, shown = 0;
};
inline ShownScore scoreShown(const std::vector<bool>& shown, const std::vector<bool>& active) {
  double count = 0, wrong = 0, effects = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    count += shown[i], wrong += shown[i] && !active[i], effects += active[i];
  }
  return {count > 0 ? wrong / count : 0, effects > 0 ? (count - wrong) / effects : 0, count};
}

}  // namespace sulcus::test
