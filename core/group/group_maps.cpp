#include "core/group/group_maps.h"

#include "core/activation/results/posterior.h"
#include "core/analysis/cluster_table.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/group/people_model.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

namespace sulcus::group {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A statistic that is compared with the largest of each exchange.
struct Corrected {
  const char* name;
  const std::vector<float>& values;  ///< of the voxels, signed
  NullTail null;
};

Corrected correctedBy(Correction correction, const ContrastResult& contrast, Tails tails) {
  const auto made = [&](const char* name, const std::vector<float>& values,
                        const std::vector<float>& largest) -> Corrected {
    return {name, values, NullTail(largest, contrast.possible, tails)};
  };
  switch (correction) {
    case Correction::tfce:
      return made("tfce", contrast.tfce, contrast.largestTfce);
    case Correction::extent:
      return made("extent", contrast.extent, contrast.largestExtent);
    case Correction::mass:
      return made("mass", contrast.mass, contrast.largestMass);
    default:
      return made("voxel", contrast.t, contrast.largestT);
  }
}

/// p of a signed value from the largest of each exchange; 1 for 0 and for the sign that is not tested.
double pOf(float value, const Corrected& corrected, bool twoSided) {
  if (value == 0 || (value < 0 && !twoSided)) return 1;
  return corrected.null.p(std::abs(value));
}

/// The log of the probability that t, or for several rows √F, is exceeded.
double logTailOf(float t, std::size_t rows, double freedom) {
  return logTailOfF(double(t) * t, double(rows), freedom) - (rows == 1 ? std::numbers::ln2 : 0);
}

/// p of t alone, without correction.
double plainP(float t, std::size_t rows, double freedom, bool twoSided) {
  const double tail = std::exp(logTailOf(t, rows, freedom));
  if (rows > 1) return tail;
  if (twoSided) return std::min(1.0, 2 * tail);
  return t > 0 ? tail : 1 - tail;
}

std::vector<double> pOfVoxels(const GroupResult& result, const ContrastResult& contrast,
                              const GroupOptions& options) {
  std::vector<double> p(contrast.t.size());
  const std::size_t rows = contrast.contrast.rows.size();
  const Corrected corrected = correctedBy(options.correction, contrast, options.tails);
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = options.correction == Correction::none
               ? plainP(contrast.t[i], rows, result.freedom, options.twoSided)
               : pOf(corrected.values[i], corrected, options.twoSided);
  return p;
}

Series<float> mapOf(const GroupResult& result, std::span<const float> values) {
  Series<float> map(result.grid, 1, kNan);
  for (std::size_t i = 0; i < values.size(); ++i) map.values[result.voxels[i]] = values[i];
  return map;
}

/// A map of signed values: warm above 0, cold below.
Layer signedLayer(const GroupResult& result, const std::string& name, std::span<const float> values) {
  Layer layer = mapLayer(name, "", "heat", mapOf(result, values));
  layer.display.negativeColormap = "blue-lightblue";
  float largest = 0;
  for (const float value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  layer.display.range = Range{0, largest > 0 ? largest : 1};
  return layer;
}

/// t, or F for several rows, as it is shown.
std::vector<float> statisticOf(const std::vector<float>& t, const GroupContrast& contrast) {
  std::vector<float> shown(t);
  if (contrast.isJoint())
    for (float& value : shown) value *= value;
  return shown;
}

/// The normal numbers with the same tail probability, with the sign of t; at least 0 for several rows.
std::vector<float> deviatesOf(const std::vector<float>& t, const GroupContrast& contrast, double freedom) {
  std::vector<float> z(t);
  for (float& value : z)
    value = std::copysign(float(deviateOfLogTail(logTailOf(value, contrast.rows.size(), freedom))), value);
  return z;
}

struct Shown {
  std::int64_t above = 0, below = 0;
  double threshold = NAN;  ///< of the statistic that is compared; NaN for none
  double smallestP = 1;
};

Shown shownOf(const ContrastResult& contrast, const std::vector<double>& p, const GroupOptions& options) {
  Shown shown;
  for (std::size_t i = 0; i < p.size(); ++i) {
    shown.smallestP = std::min(shown.smallestP, p[i]);
    if (p[i] <= options.alpha) ++(contrast.t[i] > 0 ? shown.above : shown.below);
  }
  if (options.correction == Correction::none) return shown;
  const auto largest = correctedBy(options.correction, contrast, Tails::count).null.largest();
  const auto rank = std::int64_t(std::ceil((1 - options.alpha) * double(largest.size()) - 1e-9));
  if (rank < std::ssize(largest)) shown.threshold = largest[std::max<std::int64_t>(rank, 0)];
  if (options.correction == Correction::voxel && contrast.contrast.isJoint())
    shown.threshold *= shown.threshold;  // F
  return shown;
}

Layer contrastTable(const GroupResult& result, const GroupOptions& options) {
  TableLayer table;
  table.columns = {"contrast",  "exchange",   "exchanges",    "possible",    "correction",
                   "threshold", "smallest_p", "voxels_above", "voxels_below"};
  for (const auto& contrast : result.contrasts) {
    const Shown shown = shownOf(contrast, pOfVoxels(result, contrast, options), options);
    const std::string threshold = std::isfinite(shown.threshold) ? numberText(shown.threshold) : "n/a";
    table.rows.push_back({contrast.contrast.name, contrast.exchange == Exchange::signs ? "signs" : "order",
                          numberText(double(contrast.exchanges)), numberText(contrast.possible),
                          formatOption(optionValues(options).at("correction")), threshold,
                          numberText(shown.smallestP), numberText(double(shown.above)),
                          numberText(double(shown.below))});
  }
  return tableLayer("contrasts", std::move(table));
}

Layer peopleTable(const GroupResult& result) {
  TableLayer table;
  table.columns = result.design.names;
  table.columns.insert(table.columns.begin(), "person");
  for (std::size_t n = 0; n < result.people.size(); ++n) {
    auto& cells = table.rows.emplace_back(1, result.people[n]);
    for (const double value : result.design.rows[n]) cells.push_back(numberText(value));
  }
  return tableLayer("design", std::move(table));
}

Layer shownLayer(const GroupResult& result, const ContrastResult& contrast, const GroupOptions& options) {
  const auto p = pOfVoxels(result, contrast, options);
  std::vector<float> shown = statisticOf(contrast.t, contrast.contrast);
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (p[i] > options.alpha) shown[i] = kNan;
  Layer layer = signedLayer(result, "shown_" + contrast.contrast.name, shown);
  layer.unit = contrast.contrast.isJoint() ? "F" : "t";
  // Everything shown exceeds the threshold, so all of its clusters are listed.
  for (const float value : shown)
    if (std::isfinite(value) && value != 0)
      layer.display.hideBelow = std::min(layer.display.hideBelow.value_or(HUGE_VAL), std::abs(double(value)));
  return layer;
}

/// The probability of the likelier side: P(θ > γ), or minus P(θ < −γ) if that is larger.
struct SignedProbability {
  std::vector<float> values;
  double threshold = 1;  ///< from here on, at least 0.5, the expected share of false ones is at most `alpha`
  std::int64_t shown = 0;
};

SignedProbability signedProbability(const PeoplePosterior& posterior, const GroupOptions& options) {
  SignedProbability made;
  made.values = posterior.exceedance(options.gamma, false);
  std::vector<float> sizes = made.values;
  if (options.twoSided) {
    const std::vector<float> below = posterior.exceedance(options.gamma, true);
    for (std::size_t i = 0; i < below.size(); ++i)
      if (below[i] > made.values[i]) {
        made.values[i] = -below[i];
        sizes[i] = below[i];
      }
  }
  made.threshold = std::max(0.5, activation::fdrThreshold(sizes, options.alpha));
  made.shown = std::ranges::count_if(sizes, [&](float p) { return p >= made.threshold; });
  return made;
}

Layer probabilityLayer(const GroupResult& result, const ContrastResult& contrast,
                       const GroupOptions& options) {
  const SignedProbability found = signedProbability(*contrast.posterior, options);
  Layer layer = signedLayer(result, "posterior_" + contrast.contrast.name, found.values);
  layer.unit = "P(effect > " + numberText(options.gamma) + ")";
  layer.display.range = Range{0.5, 1};
  layer.display.hideBelow = found.threshold;
  if (options.twoSided)
    layer.notes.emplace_back("Below 0: minus the probability that the effect is below -" +
                             numberText(options.gamma) + ".");
  return layer;
}

std::vector<Layer> posteriorLayers(const GroupResult& result, const ContrastResult& contrast) {
  const PeoplePosterior& posterior = *contrast.posterior;
  const std::string& name = contrast.contrast.name;
  std::vector<Layer> layers;
  layers.push_back(signedLayer(result, "mean_" + name, posterior.mean));
  layers.push_back(mapLayer("sd_" + name, "", "magma", mapOf(result, posterior.deviation)));
  layers.push_back(signedLayer(result, "low_" + name, posterior.quantile(0.025)));
  layers.push_back(signedLayer(result, "high_" + name, posterior.quantile(0.975)));
  layers.push_back(mapLayer("people_sd_" + name, "", "magma", mapOf(result, posterior.peopleDeviation)));
  layers.back().notes.emplace_back("How much people differ: the posterior mean of their s.d. in each voxel.");
  return layers;
}

/// The clusters of what is shown for each contrast.
Layer clustersTable(const GroupResult& result, const GroupOptions& options, const std::vector<Layer>& shown,
                    const LabelsLayer* atlas) {
  ClusterOptions clusters;
  clusters.connectivity = options.connectivity;
  const Vec3<double> spacing = result.grid.spacing();
  TableLayer table;
  for (std::size_t c = 0; c < result.contrasts.size(); ++c) {
    const auto& map = *std::get<VolumeLayer>(shown[c].content).series;
    TableLayer own = clusterTable(findClusters(map.volume(0), map.grid, {}, clusters), atlas,
                                  std::min({spacing.x, spacing.y, spacing.z}));
    if (table.columns.empty()) {
      table.columns = own.columns;
      table.columns.insert(table.columns.begin(), "contrast");
    }
    for (auto& row : own.rows) {
      row.insert(row.begin(), result.contrasts[c].contrast.name);
      table.rows.push_back(std::move(row));
    }
  }
  return tableLayer("clusters", std::move(table));
}

/// Adds the maps of an estimate: its effect, statistic and normal deviate.
///
/// @param prefix  of the names
void addEstimate(const GroupResult& result, const GroupContrast& contrast, const std::string& prefix,
                 const std::vector<float>& effect, const std::vector<float>& t, std::vector<Layer>& layers) {
  const bool isJoint = contrast.isJoint();
  if (!isJoint) layers.push_back(signedLayer(result, prefix + "effect_" + contrast.name, effect));
  layers.push_back(
      signedLayer(result, prefix + (isJoint ? "f_" : "t_") + contrast.name, statisticOf(t, contrast)));
  layers.push_back(
      signedLayer(result, prefix + "z_" + contrast.name, deviatesOf(t, contrast, result.freedom)));
}

/// −log10 of the corrected p.
Layer logPLayer(const GroupResult& result, const ContrastResult& contrast, Correction correction,
                const GroupOptions& options) {
  const Corrected corrected = correctedBy(correction, contrast, options.tails);
  std::vector<float> logP(corrected.values);
  for (float& value : logP) value = float(-std::log10(pOf(value, corrected, options.twoSided)));
  Layer layer = mapLayer("logp_" + std::string(corrected.name) + "_" + contrast.contrast.name, "-log10 p",
                         "heat", mapOf(result, logP));
  const double most = std::log10(double(contrast.exchanges));
  layer.display.range = Range{std::min(1.3, 0.5 * most), most > 0 ? most : 1};
  layer.display.hideBelow = -std::log10(0.05);
  return layer;
}

/// What is held against the largest of the image, in words.
const char* statisticName(Correction correction, bool isJoint) {
  switch (correction) {
    case Correction::tfce:
      return "TFCE";
    case Correction::extent:
      return "extent of the cluster";
    case Correction::mass:
      return "mass of the cluster";
    default:
      return isJoint ? "F" : "t";
  }
}

/// How many voxels are shown, and by which p.
Note shownNote(const GroupResult& result, const ContrastResult& contrast, const GroupOptions& options) {
  const Shown shown = shownOf(contrast, pOfVoxels(result, contrast, options), options);
  const bool isJoint = contrast.contrast.isJoint();
  std::string line = text(contrast.contrast.name, ": ", shown.above, " voxels above 0");
  if (options.twoSided && !isJoint) line += text(", ", shown.below, " below");
  if (options.correction == Correction::none)
    line += " (uncorrected p";
  else
    line += text(" (p corrected by ", correctedBy(options.correction, contrast, Tails::count).name);
  line += text(" at most ", options.alpha);
  if (std::isfinite(shown.threshold))
    line += text(", ", statisticName(options.correction, isJoint), " at least ", shown.threshold);
  return line + text("); smallest p ", shown.smallestP, ".");
}

/// Adds what the posterior of a contrast says, and how well its chains agree.
void addPosteriorNotes(const ContrastResult& contrast, const GroupOptions& options, Notes& notes) {
  const PeoplePosterior& posterior = *contrast.posterior;
  const std::string& name = contrast.contrast.name;
  const SignedProbability found = signedProbability(posterior, options);
  const std::string where =
      found.shown == 0 ? std::string("nowhere")
                       : text("in ", counted(found.shown, "voxel"), ", from a probability of ",
                              found.threshold, " on, of which ", options.alpha, " are expected to be false");
  notes.push_back(text(name, ", posterior: effects above ", options.gamma, " ", where, "; ", posterior.share,
                       " of all voxels have an effect, with an s.d. of ", posterior.effectDeviation, "."));
  Note common = text(name, ", posterior: the effect that all voxels share, ", posterior.shift,
                     " with a standard error of ", posterior.shiftError, ", was subtracted.");
  if (std::abs(posterior.shift) > 3 * posterior.shiftError && posterior.shiftError > 0)
    common = Note::warning(common.text, "The maps differ as a whole: effects are relative to that.");
  notes.push_back(std::move(common));
  Note mixing = text("Chains of ", name, ": the R-hat of ", posterior.shareAbove,
                     " of the voxels is above 1.05, the largest ", posterior.largestRatio, ".");
  if (posterior.shareAbove > 0.01) mixing = Note::warning(mixing.text, "Use more draws.", "draws");
  notes.push_back(std::move(mixing));
}

}  // namespace

std::vector<Layer> adjustedLayers(const GroupResult& result, const GroupOptions& options,
                                  const LabelsLayer* atlas) {
  std::vector<Layer> layers;
  for (const auto& contrast : result.contrasts) layers.push_back(shownLayer(result, contrast, options));
  layers.front().display.visible = true;
  Layer clusters = clustersTable(result, options, layers, atlas);
  for (const auto& contrast : result.contrasts)
    if (contrast.posterior) layers.push_back(probabilityLayer(result, contrast, options));
  layers.push_back(contrastTable(result, options));
  layers.push_back(std::move(clusters));
  return layers;
}

std::vector<Layer> groupLayers(const GroupResult& result, const GroupOptions& options,
                               const LabelsLayer* atlas) {
  std::vector<Layer> layers = adjustedLayers(result, options, atlas);
  for (const auto& contrast : result.contrasts) {
    addEstimate(result, contrast.contrast, "", contrast.effect, contrast.t, layers);
    layers.push_back(signedLayer(result, "tfce_" + contrast.contrast.name, contrast.tfce));
    if (!contrast.weightedT.empty())
      addEstimate(result, contrast.contrast, "weighted_", contrast.weightedEffect, contrast.weightedT,
                  layers);
    if (contrast.posterior) std::ranges::move(posteriorLayers(result, contrast), std::back_inserter(layers));
    for (const auto correction : {Correction::tfce, Correction::voxel, Correction::extent, Correction::mass})
      layers.push_back(logPLayer(result, contrast, correction, options));
  }
  if (!result.between.empty()) {
    layers.push_back(mapLayer("between_sd", "", "magma", mapOf(result, result.between)));
    layers.back().notes.emplace_back("How much people differ, beyond the variances of their maps: s.d.");
  }
  layers.push_back(peopleTable(result));
  return layers;
}

Notes groupSummary(const GroupResult& result, const GroupOptions& options) {
  Notes lines;
  lines.push_back(text(counted(std::int64_t(result.design.people()), "map"), ", ",
                       counted(std::ssize(result.voxels), "voxel"), ", ", result.freedom,
                       " degrees of freedom."));
  for (const auto& contrast : result.contrasts) {
    lines.push_back(shownNote(result, contrast, options));
    if (options.correction != Correction::none &&
        correctedBy(options.correction, contrast, options.tails).null.isFitted())
      lines.emplace_back(
          text("Small p are from a generalized Pareto distribution fitted to the upper quarter of the ",
               contrast.exchanges, " permutations; count would count instead."),
          "tails");
  }
  for (const auto& contrast : result.contrasts)
    if (contrast.posterior) addPosteriorNotes(contrast, options, lines);
  if (!result.between.empty())
    lines.emplace_back(
        "In the maps weighted_…, people are weighted by the variances of their maps and by how much they "
        "differ (REML); these maps are not corrected for the image.");
  return lines;
}

}  // namespace sulcus::group
