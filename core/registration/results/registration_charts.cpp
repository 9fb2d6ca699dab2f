#include "core/registration/results/registration_charts.h"

#include "core/analysis/chart_parts.h"
#include "core/analysis/histogram.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace sulcus::registration {
namespace {

/// The log J of the voxels whose warped intensity is above the mean.
std::vector<float> foreground(const RegistrationResult& result) {
  double sum = 0;
  for (const float value : result.warped.values) sum += value;
  const auto mean = float(sum / double(std::max<std::size_t>(1, result.warped.values.size())));
  std::vector<float> values;
  for (std::size_t i = 0; i < result.warped.values.size(); ++i)
    if (result.warped.values[i] > mean) values.push_back(result.logJacobian.values[i]);
  return values;
}

Chart histogram(const std::vector<float>& values) {
  Chart chart = emptyChart("No voxel above the mean", "log J", "density");
  if (values.empty()) return chart;
  const auto n = double(values.size());
  double mean = 0, second = 0, third = 0;
  for (const float value : values) mean += value / n;
  for (const float value : values) {
    const double d = value - mean;
    second += d * d / n;
    third += d * d * d / n;
  }
  const double sd = std::sqrt(second);
  chart.title = text("log J where the image is above its mean: mean ", mean, ", s.d. ", sd, ", skewness ",
                     sd > 0 ? third / (sd * sd * sd) : 0);
  if (auto bars = histogramBars("log J", values)) chart.series.push_back(std::move(*bars));
  chart.series.push_back(marksAt("mean", {mean}));
  return chart;
}

}  // namespace

Plot registrationEnergyPlot(const std::vector<RegistrationIteration>& iterations, double lambda) {
  Chart chart = emptyChart("Energy per voxel", "iteration", "energy");
  Chart::Series energy{"energy", Chart::Kind::line};
  Chart::Series similarity{"similarity", Chart::Kind::line};
  Chart::Series bias{"λ · bias", Chart::Kind::line};
  Chart::Series landmarks{"landmarks", Chart::Kind::line};
  Chart::Series levels = marksAt("level", {});
  double at = 0;
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    const RegistrationIteration& now = iterations[i];
    at += now.iteration > 0;
    if (i > 0 && now.level != iterations[i - 1].level) levels.x.push_back(at);
    for (Chart::Series* series : {&energy, &similarity, &bias, &landmarks}) series->x.push_back(at);
    energy.y.push_back(now.energy);
    similarity.y.push_back(now.similarity);
    bias.y.push_back(lambda * now.bias);
    landmarks.y.push_back(now.landmarks);
  }
  const bool pulled = std::any_of(landmarks.y.begin(), landmarks.y.end(), [](double e) { return e > 0; });
  chart.series = {std::move(energy), std::move(similarity), std::move(bias)};
  if (pulled) chart.series.push_back(std::move(landmarks));
  if (!levels.x.empty()) chart.series.push_back(std::move(levels));
  return fixedPlot("Energy", std::move(chart));
}

Plot logJacobianPlot(std::shared_ptr<const RegistrationResult> result) {
  struct Made {
    std::once_flag once;
    Chart chart;
  };
  return {"log J", false, [result = std::move(result), made = std::make_shared<Made>()](const Vec3<double>&) {
            std::call_once(made->once, [&] { made->chart = histogram(foreground(*result)); });
            return made->chart;
          }};
}

}  // namespace sulcus::registration
