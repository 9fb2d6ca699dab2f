#include "ui/model/runs/run_adjuster.h"

#include "core/analysis/command_line.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

struct Adjustment {
  std::vector<Layer> layers;
  std::vector<std::string> gone;  ///< names of layers that exist for the previous values but not for these
};

std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  names.reserve(layers.size());
  for (const Layer& layer : layers) names.push_back(layer.name);
  return names;
}

/// The values now shown if they differ from those of the figures in the log; else "".
QString shownText(const Analysis& analysis, const OptionValues& ran, const OptionValues& now) {
  QStringList changed;
  for (const OptionInfo& option : analysis.options)
    if (option.adjustable && ran.at(option.name) != now.at(option.name))
      changed << QStringLiteral("%1 %2 (%3)")
                     .arg(shortLabel(option), valueText(option, now.at(option.name)),
                          valueText(option, ran.at(option.name)));
  if (changed.isEmpty()) return {};
  return RunAdjuster::tr("Shown with %1: the numbers above refer to the values in parentheses.")
      .arg(changed.join(QStringLiteral(", ")));
}

/// Whether the set of layers may change, and not only their values: a number adds and removes none.
bool mayRename(const Analysis& analysis, const OptionValues& before, const OptionValues& now) {
  return std::any_of(analysis.options.begin(), analysis.options.end(), [&](const OptionInfo& option) {
    return option.adjustable && !std::holds_alternative<double>(option.defaultValue) &&
           !std::holds_alternative<std::int64_t>(option.defaultValue) &&
           before.at(option.name) != now.at(option.name);
  });
}

/// The provenance of a result that is adjusted to these values.
Provenance adjustedProvenance(const Run& run, const OptionValues& values) {
  Provenance provenance = run.result->provenance;
  provenance.parameters = values;
  provenance.commandLine = commandLine(*run.analysis, run.inputs, values, backendFlag(run));
  return provenance;
}

/// The layers of a run with these values.
///
/// @param shown names of the layers that there are now; nullopt: not known yet
Adjustment adjustmentOf(const Run& run, const OptionValues& values,
                        const std::optional<std::vector<std::string>>& shown, const Progress& progress) {
  const RunResult& result = *run.result;
  Adjustment made{result.adjust(values, progress), {}};
  setRanges(made.layers);
  const auto provenance = std::make_shared<const Provenance>(adjustedProvenance(run, values));
  for (Layer& layer : made.layers) layer.provenance = provenance;
  if (!mayRename(*run.analysis, run.options, values)) return made;
  const auto present = namesOf(made.layers);
  for (const std::string& name : shown ? *shown : namesOf(result.adjust(run.options, progress)))
    if (std::find(present.begin(), present.end(), name) == present.end()) made.gone.push_back(name);
  return made;
}

}  // namespace

RunResult shownResult(const Run& run, const Progress& progress) {
  RunResult result = *run.result;
  if (!run.adjusted) return result;
  const auto now = result.adjust(run.options, progress);
  const auto present = namesOf(now), before = namesOf(result.adjust(run.computed, progress));
  const auto in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::erase_if(result.layers,
                [&](const Layer& layer) { return in(before, layer.name) && !in(present, layer.name); });
  for (const Layer& layer : now) {
    const auto former = std::find_if(result.layers.begin(), result.layers.end(),
                                     [&](const Layer& one) { return one.name == layer.name; });
    if (former != result.layers.end())
      *former = layer;
    else
      result.layers.push_back(layer);
  }
  std::erase_if(result.files, [](const ResultFile& file) { return file.adjustable; });
  result.provenance = adjustedProvenance(run, run.options);
  const auto provenance = std::make_shared<const Provenance>(result.provenance);
  for (Layer& layer : result.layers) layer.provenance = provenance;
  return result;
}

bool RunAdjuster::isAdjusting(int runId) const {
  return wanted_.contains(runId) || (adjusting_ && last_ == runId && placed_.contains(runId));
}

void RunAdjuster::forget(int runId) {
  wanted_.erase(runId);
  layerNames_.erase(runId);
}

void RunAdjuster::forgetAll() {
  wanted_.clear();
  layerNames_.clear();
}

void RunAdjuster::request(int runId, const OptionValues& changed) {
  const auto found = placed_.find(runId);
  if (found == placed_.end()) return;
  const RunPtr run = found->second.run;
  if (!run->result->adjust && !run->stored) return;
  const OptionValues& reached = adjusting_ && last_ == runId ? *adjusting_ : run->options;
  const auto wanted = wanted_.find(runId);
  OptionValues values = wanted == wanted_.end() ? reached : wanted->second;
  for (const auto& [name, value] : changed) values[name] = value;
  if (values == reached) return drop(runId);
  wanted_[runId] = std::move(values);
  if (!run->result->adjust) emit needsResult(run);
}

std::map<int, OptionValues>::iterator RunAdjuster::nextWanted() {
  const auto isReady = [this](const auto& wanted) {
    return bool(placed_.at(wanted.first).run->result->adjust);
  };
  const auto found = std::find_if(wanted_.upper_bound(last_), wanted_.end(), isReady);
  return found != wanted_.end() ? found : std::find_if(wanted_.begin(), wanted_.end(), isReady);
}

void RunAdjuster::next() {
  if (adjusting_) return;
  const auto found = nextWanted();
  if (found == wanted_.end()) {
    if (const auto last = placed_.find(last_); last != placed_.end())
      emit settled(last->second.run->analysis);
    return;
  }
  last_ = found->first;
  const Run& run = *placed_.at(last_).run;
  const OptionValues values = std::move(found->second);
  wanted_.erase(found);
  adjusting_ = values;
  std::optional<std::vector<std::string>> names;
  if (const auto known = layerNames_.find(last_); known != layerNames_.end()) names = known->second;
  auto work = [recipe = run, values, names](const Progress& progress) {
    return adjustmentOf(recipe, values, names, progress);
  };
  auto done = [this, id = run.id, values, before = run.options](Adjustment made) {
    lastFault_ = {};
    const auto placed = placed_.find(id);
    if (placed == placed_.end() || placed->second.run->options != before) return;
    if (const auto wanted = wanted_.find(id); wanted != wanted_.end() && wanted->second == before)
      wanted_.erase(wanted);  // the values on screen are requested again
    else
      apply(id, values, std::move(made.layers), made.gone);
  };
  auto report = [this, analysis = run.analysis](const JobReport& what) {
    if (what.state == JobState::queued || what.state == JobState::running) return;
    adjusting_.reset();
    if (what.state == JobState::failed && std::exchange(lastFault_, what.error) != what.error)
      emit failed(words(analysis->title), localizeForWindow(*analysis, what.error));
    next();
  };
  queue_.submit(std::move(work), std::move(done), std::move(report));
}

void RunAdjuster::apply(int runId, const OptionValues& values, std::vector<Layer> layers,
                        const std::vector<std::string>& gone) {
  layerNames_[runId] = namesOf(layers);
  const auto& placed = placed_.at(runId);
  const std::shared_ptr<Run> run = placed.run;
  run->options = values;
  run->adjusted = true;
  jobs_.setLastWord(run->job, shownText(*run->analysis, run->computed, values));
  const std::shared_ptr<RunLayers> on = placed.layers;  // removing its last layer removes the run
  on->change(std::move(layers), gone);
  const auto ids = on->ids();
  if (std::exchange(run->layers, ids) != ids) emit layersShown(ids);
  emit adjusted(run);
}

}  // namespace sulcus::ui::model
