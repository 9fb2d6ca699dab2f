#include "core/activation/results/shown_voxels.h"

#include "core/activation/results/joint_estimates.h"
#include "core/activation/results/posterior.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sulcus::activation {
namespace {

/// If more than this share of the shown voxels is expected to be false, a warning says so.
constexpr double kMuchFalse = 0.2;
/// If fewer than this share of all voxels are without effect by the two-group model, a warning says so: its
/// groups are identified by the assumption that the rarer one is the wider.
constexpr double kFewNull = 0.5;

/// Counts the shown voxels and describes what is expected of them.
void countShown(ShownVoxels& shown) {
  double expected = 0;
  for (std::size_t i = 0; i < shown.probability.size(); ++i) {
    if (!(shown.probability[i] >= float(shown.threshold))) continue;
    ++shown.count;
    if (shown.groups) expected += shown.falseShare[i];
  }
  if (shown.groups && shown.count > 0) shown.expectedFalse = expected / double(shown.count);
}

void addNotes(ShownVoxels& shown, double fdr) {
  if (fdr > 0 && !shown.groups)
    shown.notes.push_back(text("The false discovery rate cannot be controlled with fewer than ",
                               kFewestForGroups,
                               " voxels. Voxels above the probability threshold are shown."));
  if (shown.byFalseShare && shown.count == 0)
    shown.notes.push_back(text("Nothing survives FDR ", numberText(fdr), "."));
  else if (shown.byFalseShare)
    shown.notes.push_back(text(shown.count, " voxels are shown, with a local FDR of at most ",
                               1 - shown.threshold, ": ", 100 * shown.expectedFalse,
                               " % of them are expected to be false."));
  else if (shown.groups && shown.count > 0)
    shown.notes.push_back(text(shown.count, " voxels are shown, with P ≥ ", shown.threshold,
                               ". By the two-group model ", 100 * shown.expectedFalse,
                               " % of them are expected to be false."));
  else
    shown.notes.push_back(text(shown.count, " voxels are shown, with P ≥ ", shown.threshold, "."));
  if (shown.groups && shown.groups->nullShare < kFewNull)
    shown.notes.push_back(Note::warning(
        text("the two-group model assigns only ", std::lround(100 * shown.groups->nullShare),
             " % of all voxels no effect. If the noise is wider than modeled, it is mistaken for effects, "
             "and more of the voxels shown are false than stated."),
        text("Try another model of the noise", shown.joint ? "." : ", or ask for a larger effect."),
        "noise"));
  if (!shown.byFalseShare && shown.expectedFalse > kMuchFalse)
    shown.notes.push_back(Note::warning(
        text("about ", std::lround(100 * shown.expectedFalse), " % of the voxels with P ≥ ", shown.threshold,
             " are expected to be false: P follows from a prior in "
             "which every voxel has some effect."),
        text("Ask for a share of false discoveries instead, such as 0.05",
             shown.joint ? "." : ", or for a larger effect."),
        "fdr"));
}

/// Sets everything that follows from the two groups and the false shares.
///
/// @param posterior  what is compared with the option `probability`
void decide(ShownVoxels& shown, const ActivationOptions& options,
            const std::function<std::vector<float>()>& posterior) {
  shown.threshold = options.probability;
  shown.byFalseShare = options.fdr > 0 && shown.groups;
  if (shown.byFalseShare) {
    shown.probability = shown.falseShare;
    for (float& p : shown.probability) p = 1 - p;
    shown.threshold = fdrThreshold(shown.probability, options.fdr);
  } else {
    shown.probability = posterior();
  }
  countShown(shown);
  addNotes(shown, options.fdr);
}

std::string cellOf(double value) { return std::isfinite(value) ? numberText(value) : "n/a"; }

}  // namespace

ShownVoxels shownVoxels(const ActivationResult& result, const Contrast& contrast,
                        const ActivationOptions& options, const Progress& progress) {
  const auto grouped = groupedEstimates(result, contrast.weights, progress);
  ShownVoxels shown;
  shown.contrast = contrast.name;
  shown.groups = grouped->groups;
  if (shown.groups)
    shown.falseShare = localFalseShare(grouped->estimates, *shown.groups, options.gamma, progress);
  decide(shown, options, [&] { return exceedance(result, contrast.weights, options.gamma, progress); });
  return shown;
}

ShownVoxels shownVoxels(const ActivationResult& result, const JointContrast& contrast,
                        const ActivationOptions& options, const Progress& progress) {
  const auto grouped = groupedJoint(result, contrast, progress);
  ShownVoxels shown;
  shown.contrast = contrast.name;
  shown.joint = true;
  if (const auto& groups = grouped->groups) {
    shown.groups = FdrMixture{groups->nullShare, 0, 0, groups->errorScale};
    double square = 0;
    for (std::size_t k = 0; k < groups->lengths.size(); ++k) {
      const double share = groups->shares[k] / std::max(1 - groups->nullShare, 1e-300);
      shown.groups->mean += share * groups->lengths[k];
      square += share * std::pow(groups->lengths[k], 2);
    }
    shown.groups->spread = std::sqrt(std::max(square - std::pow(shown.groups->mean, 2), 0.0));
    shown.falseShare = jointFalseShare(grouped->estimates, *groups, progress);
  }
  decide(shown, options, [&] { return jointProbability(result, contrast, progress); });
  if (options.gamma != 0)
    shown.notes.push_back("γ does not apply here: the rows of a joint contrast are compared with 0.");
  return shown;
}

Layer shownTable(const std::vector<ShownVoxels>& shown, const ActivationOptions& options) {
  TableLayer table;
  table.columns = {"contrast",       "rule",       "gamma", "threshold", "voxels",
                   "expected_false", "null_share", "mean",  "spread",    "error_scale"};
  for (const ShownVoxels& one : shown) {
    const auto ofGroups = [&](double FdrMixture::*value) {
      return cellOf(one.groups ? (*one.groups).*value : NAN);
    };
    const std::string rule = one.byFalseShare ? "fdr " + cellOf(options.fdr) : "probability";
    const double gamma = one.joint ? NAN : options.gamma;
    const double threshold = one.byFalseShare && one.count == 0 ? NAN : one.threshold;
    table.rows.push_back({one.contrast, rule, cellOf(gamma), cellOf(threshold), std::to_string(one.count),
                          cellOf(one.expectedFalse), ofGroups(&FdrMixture::nullShare),
                          ofGroups(&FdrMixture::mean), ofGroups(&FdrMixture::spread),
                          ofGroups(&FdrMixture::errorScale)});
  }
  return tableLayer("shown", std::move(table));
}

}  // namespace sulcus::activation
