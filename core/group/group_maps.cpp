#include "core/group/group_maps.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sulcus::group {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// What is held against the largest of each exchange.
struct Corrected {
  const char* name;
  const std::vector<float>& values;  ///< of the voxels, signed
  std::vector<float> largest;        ///< ascending
};

Corrected correctedBy(Correction correction, const ContrastResult& contrast) {
  Corrected made = correction == Correction::tfce ? Corrected{"tfce", contrast.tfce, contrast.largestTfce}
                   : correction == Correction::extent
                       ? Corrected{"extent", contrast.extent, contrast.largestExtent}
                   : correction == Correction::mass ? Corrected{"mass", contrast.mass, contrast.largestMass}
                                                    : Corrected{"voxel", contrast.t, contrast.largestT};
  std::sort(made.largest.begin(), made.largest.end());
  return made;
}

/// p of a signed value: its size among the largest; 1 for 0 and where its side is not tested.
double pOf(float value, const Corrected& corrected, bool twoSided) {
  if (value == 0 || (value < 0 && !twoSided)) return 1;
  return familywiseP(std::abs(value), corrected.largest);
}

/// p of t alone, without correction.
double plainP(float t, double freedom, bool twoSided) {
  const double tail = 0.5 * std::exp(logTailOfF(double(t) * t, 1, freedom));
  if (twoSided) return std::min(1.0, 2 * tail);
  return t > 0 ? tail : 1 - tail;
}

std::vector<double> pOfVoxels(const GroupResult& result, const ContrastResult& contrast,
                              const GroupOptions& options) {
  std::vector<double> p(contrast.t.size());
  const Corrected corrected = correctedBy(options.correction, contrast);
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = options.correction == Correction::none ? plainP(contrast.t[i], result.freedom, options.twoSided)
                                                  : pOf(corrected.values[i], corrected, options.twoSided);
  return p;
}

Series<float> mapOf(const GroupResult& result, std::span<const float> values) {
  Series<float> map(result.grid, 1, kNan);
  for (std::size_t i = 0; i < values.size(); ++i) map.values[std::size_t(result.voxels[i])] = values[i];
  return map;
}

/// A map of values of both signs: warm above 0, cold below.
Layer signedLayer(const GroupResult& result, const std::string& name, std::span<const float> values) {
  Layer layer = mapLayer(name, "", "heat", mapOf(result, values));
  layer.display.negativeColormap = "blue-lightblue";
  float largest = 0;
  for (const float value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  layer.display.range = Range{0, largest > 0 ? largest : 1};
  return layer;
}

float deviateOfT(float t, double freedom) {
  const double logTail = logTailOfF(double(t) * t, 1, freedom) - std::numbers::ln2;
  return std::copysign(float(deviateOfLogTail(logTail)), t);
}

struct Shown {
  std::int64_t above = 0, below = 0;
  double threshold = NAN;  ///< of what is held against the largest; NaN for none
  double smallestP = 1;
};

Shown shownOf(const ContrastResult& contrast, const std::vector<double>& p, const GroupOptions& options) {
  Shown shown;
  for (std::size_t i = 0; i < p.size(); ++i) {
    shown.smallestP = std::min(shown.smallestP, p[i]);
    if (p[i] <= options.alpha) ++(contrast.t[i] > 0 ? shown.above : shown.below);
  }
  if (options.correction == Correction::none) return shown;
  const auto largest = correctedBy(options.correction, contrast).largest;
  const auto rank = std::int64_t(std::ceil((1 - options.alpha) * double(largest.size()) - 1e-9));
  if (rank < std::ssize(largest)) shown.threshold = largest[std::size_t(std::max<std::int64_t>(rank, 0))];
  return shown;
}

Layer contrastTable(const GroupResult& result, const GroupOptions& options) {
  TableLayer table;
  table.columns = {"contrast",  "exchange",   "exchanges",    "possible",    "correction",
                   "threshold", "smallest_p", "voxels_above", "voxels_below"};
  for (const auto& contrast : result.contrasts) {
    const Shown shown = shownOf(contrast, pOfVoxels(result, contrast, options), options);
    table.rows.push_back({contrast.contrast.name, contrast.exchange == Exchange::signs ? "signs" : "order",
                          numberText(double(contrast.exchanges)), numberText(contrast.possible),
                          formatOption(optionValues(options).at("correction")),
                          std::isfinite(shown.threshold) ? numberText(shown.threshold) : "n/a",
                          numberText(shown.smallestP), numberText(double(shown.above)),
                          numberText(double(shown.below))});
  }
  return tableLayer("contrasts", std::move(table));
}

Layer peopleTable(const GroupResult& result) {
  TableLayer table;
  table.columns = result.design.names;
  for (const auto& row : result.design.rows) {
    auto& cells = table.rows.emplace_back();
    for (const double value : row) cells.push_back(numberText(value));
  }
  return tableLayer("design", std::move(table));
}

Layer shownLayer(const GroupResult& result, const ContrastResult& contrast, const GroupOptions& options) {
  const auto p = pOfVoxels(result, contrast, options);
  std::vector<float> shown(contrast.t);
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (p[i] > options.alpha) shown[i] = kNan;
  Layer layer = signedLayer(result, "shown_" + contrast.contrast.name, shown);
  layer.unit = "t";
  return layer;
}

}  // namespace

std::vector<Layer> adjustedLayers(const GroupResult& result, const GroupOptions& options) {
  std::vector<Layer> layers;
  for (const auto& contrast : result.contrasts) layers.push_back(shownLayer(result, contrast, options));
  layers.front().display.visible = true;
  layers.push_back(contrastTable(result, options));
  return layers;
}

std::vector<Layer> groupLayers(const GroupResult& result, const GroupOptions& options) {
  std::vector<Layer> layers = adjustedLayers(result, options);
  for (const auto& contrast : result.contrasts) {
    const std::string& name = contrast.contrast.name;
    layers.push_back(signedLayer(result, "effect_" + name, contrast.effect));
    layers.push_back(signedLayer(result, "t_" + name, contrast.t));
    std::vector<float> z(contrast.t);
    for (float& value : z) value = deviateOfT(value, result.freedom);
    layers.push_back(signedLayer(result, "z_" + name, z));
    layers.push_back(signedLayer(result, "tfce_" + name, contrast.tfce));
    for (const auto correction :
         {Correction::tfce, Correction::voxel, Correction::extent, Correction::mass}) {
      const Corrected corrected = correctedBy(correction, contrast);
      std::vector<float> logP(corrected.values);
      for (float& value : logP) value = float(-std::log10(pOf(value, corrected, options.twoSided)));
      Layer layer = mapLayer("logp_" + std::string(corrected.name) + "_" + name, "-log10 p", "heat",
                             mapOf(result, logP));
      const double most = std::log10(double(contrast.exchanges));
      layer.display.range = Range{std::min(1.3, 0.5 * most), most > 0 ? most : 1};
      layer.display.hideBelow = -std::log10(0.05);
      layers.push_back(std::move(layer));
    }
  }
  layers.push_back(peopleTable(result));
  return layers;
}

Notes groupSummary(const GroupResult& result, const GroupOptions& options) {
  Notes lines;
  lines.push_back(text(counted(std::int64_t(result.design.people()), "map"), ", ",
                       counted(std::int64_t(result.voxels.size()), "voxel"), ", ", result.freedom,
                       " degrees of freedom."));
  for (const auto& contrast : result.contrasts) {
    const auto p = pOfVoxels(result, contrast, options);
    const Shown shown = shownOf(contrast, p, options);
    const std::string by =
        options.correction == Correction::none
            ? "p without correction"
            : "p corrected by " + std::string(correctedBy(options.correction, contrast).name);
    std::string line = text(contrast.contrast.name, ": ", shown.above, " voxels above 0");
    if (options.twoSided) line += text(", ", shown.below, " below");
    line += text(" (", by, " at most ", options.alpha);
    if (std::isfinite(shown.threshold)) line += text(", from ", shown.threshold, " on");
    lines.push_back(line + text("); smallest p ", shown.smallestP, "."));
  }
  return lines;
}

}  // namespace sulcus::group
