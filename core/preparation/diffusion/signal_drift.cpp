#include "core/preparation/diffusion/signal_drift.h"

#include "core/math/linear_algebra.h"
#include "core/preparation/mean_volume.h"

#include <algorithm>
#include <cmath>

namespace sulcus::preparation {
namespace {

constexpr int kFewestForLine = 3, kFewestForParabola = 5;
constexpr double kTold = 8;  // explained variance over that explained by chance, per coefficient

/// The mean of each of these volumes over the voxels whose mean is brighter than usual.
Eigen::VectorXd brightnessOf(const Series<float>& series, const std::vector<int>& volumes) {
  const Volume<float> mean = withoutUnsound(meanOfVolumes(series, volumes, {}));
  double usual = 0;
  for (const float value : mean.values) usual += value / double(mean.values.size());
  Eigen::VectorXd brightness = Eigen::VectorXd::Zero(std::ssize(volumes));
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    double sum = 0, count = 0;
    for (std::int64_t i = 0; i < series.grid.voxels(); ++i) {
      const float value = series.at(i, volumes[k]);
      if (mean.values[i] <= usual || !std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
    brightness[Eigen::Index(k)] = count > 0 ? sum / count : 0;
  }
  return brightness;
}

}  // namespace

SignalDrift findDrift(const Series<float>& series, const GradientTable& gradients) {
  const std::vector<int> volumes = unweightedVolumes(gradients);
  const auto n = std::ssize(volumes);
  if (n < kFewestForLine || 2 * (volumes.back() - volumes.front()) < series.count) return {};
  const Eigen::Index degree = n >= kFewestForParabola ? 2 : 1;
  const auto powersAt = [&](int volume) {
    const double t = double(volume) / series.count;
    return Eigen::RowVector3d(1, t, t * t).head(degree + 1).eval();
  };
  Eigen::MatrixXd powers(n, degree + 1);
  for (Eigen::Index k = 0; k < n; ++k) powers.row(k) = powersAt(volumes[k]);
  const Eigen::VectorXd brightness = brightnessOf(series, volumes);
  if (!(brightness.minCoeff() > 0)) return {};
  const Eigen::VectorXd fit = solveLeastSquares(powers, brightness).solution;
  const double about = (brightness.array() - brightness.mean()).square().sum();
  const double left = (brightness - powers * fit).squaredNorm();
  if (!((about - left) / double(degree) > kTold * left / double(n - degree - 1))) return {};
  SignalDrift drift;
  const double first = powersAt(0).dot(fit);
  double most = 0;
  for (int v = 0; v < series.count; ++v) {
    drift.gain.push_back(powersAt(v).dot(fit) / first);
    most = std::max(most, std::abs(drift.gain.back() - 1));
    if (!(drift.gain.back() > 0)) return {};
  }
  return most >= kLeastDrift ? drift : SignalDrift();
}

Series<float> withoutDrift(Series<float> series, const SignalDrift& drift) {
  for (int v = 0; v < series.count && !drift.gain.empty(); ++v) {
    const auto volume = series.volume(v);
    const auto factor = float(1 / drift.gain[v]);
    for (std::int64_t i = 0; i < volume.voxels(); ++i) volume.data[i] *= factor;
  }
  return series;
}

}  // namespace sulcus::preparation
