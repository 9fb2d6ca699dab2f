// RunController: a finished result is adjusted without running again.
#include "core/analysis/command_line.h"
#include "ui/model/runs/run_request.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

struct Adjustment {
  std::vector<Layer> layers;
  std::vector<std::string> gone;  ///< names that the former values gave and these do not
};

std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  names.reserve(layers.size());
  for (const Layer& layer : layers) names.push_back(layer.name);
  return names;
}

/// Which values are shown now where they are others than those the numbers of the log are of; else "".
QString shownText(const Analysis& analysis, const OptionValues& ran, const OptionValues& now) {
  QStringList changed;
  for (const OptionInfo& option : analysis.options)
    if (option.adjustable && ran.at(option.name) != now.at(option.name))
      changed << QStringLiteral("%1 %2 (%3)")
                     .arg(shortLabel(option), valueText(option, now.at(option.name)),
                          valueText(option, ran.at(option.name)));
  if (changed.isEmpty()) return {};
  return RunController::tr("Shown with %1: the numbers above are of the values in parentheses.")
      .arg(changed.join(QStringLiteral(", ")));
}

/// Whether the layers may be others, not only their values: a number adds and removes none.
bool mayRename(const Analysis& analysis, const OptionValues& before, const OptionValues& now) {
  return std::any_of(analysis.options.begin(), analysis.options.end(), [&](const OptionInfo& option) {
    return option.adjustable && !std::holds_alternative<double>(option.defaultValue) &&
           !std::holds_alternative<std::int64_t>(option.defaultValue) &&
           before.at(option.name) != now.at(option.name);
  });
}

/// How a result came about that is adjusted to these values.
Provenance adjustedProvenance(const Run& run, const OptionValues& values) {
  Provenance provenance = run.result->provenance;
  provenance.parameters = values;
  provenance.commandLine = commandLine(*run.analysis, run.inputs, values, backendFlag(run));
  return provenance;
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

const Run* RunController::runToAdjust(const Analysis& analysis) const {
  // The run whose layer is current; while it goes on it has a job only.
  const LayerId current = layers_.current();
  const Run* chosen = runOf(current).get();
  for (const auto& [job, request] : going_) {
    const auto& place = request->preview->place;
    const auto ids = request->preview->placed ? place->ids() : std::vector<LayerId>();
    if (std::find(ids.begin(), ids.end(), current) != ids.end()) chosen = &request->run;
  }
  if (!chosen || chosen->analysis != &analysis) {
    chosen = nullptr;
    for (const RunPtr& run : runs_)
      if (run->analysis == &analysis) chosen = run.get();
    for (const auto& [job, request] : going_)
      if (request->run.analysis == &analysis) chosen = &request->run;
  }
  return chosen;
}

bool RunController::belongTogether(const Run& a, const Run& b) {
  return &a == &b || (a.together > 0 && a.together == b.together);
}

QStringList RunController::adjustedAlone(const Analysis& analysis) const {
  const Run* const chosen = runToAdjust(analysis);
  QStringList titles;
  bool others = false;
  for (const RunPtr& run : runs_)
    if (chosen && run->analysis == &analysis && belongTogether(*run, *chosen))
      titles << run->title;
    else
      others = others || run->analysis == &analysis;
  return others ? titles : QStringList();
}

void RunController::adjust(const Analysis& analysis, const OptionValues& changed) {
  const Run* const chosen = runToAdjust(analysis);
  if (!chosen) return;
  const auto belongs = [&](const Run& run) { return belongTogether(run, *chosen); };
  for (const auto& [job, request] : going_)
    if (belongs(request->run) || (chosen->id != 0 && request->replaces == chosen->id))
      for (const auto& [name, value] : changed) chosen_[job][name] = value;
  for (const RunPtr& run : runs_)
    if (belongs(*run)) requestAdjustment(run->id, changed);
  nextAdjustment();
}

bool RunController::isAdjusting(int runId) const {
  const auto found = placed_.find(runId);
  return found != placed_.end() && (found->second.wanted || (adjusting_ && lastAdjusted_ == runId));
}

void RunController::requestAdjustment(int runId, const OptionValues& changed) {
  const auto found = placed_.find(runId);
  if (found == placed_.end()) return;
  const Run& run = *found->second.run;
  if (!run.result->adjust && !run.stored) return;
  const OptionValues& reached = adjusting_ && lastAdjusted_ == runId ? *adjusting_ : run.options;
  OptionValues values = found->second.wanted.value_or(reached);
  for (const auto& [name, value] : changed) values[name] = value;
  found->second.wanted = values == reached ? std::nullopt : std::optional(std::move(values));
  if (found->second.wanted && !run.result->adjust) makeAgain(found->second.run);
}

void RunController::nextAdjustment() {
  if (adjusting_) return;
  // In turn, so that two results that are compared follow a slider together.
  const auto isWanted = [](const auto& placed) {
    return placed.second.wanted.has_value() && placed.second.run->result->adjust;
  };
  auto next = std::find_if(placed_.upper_bound(lastAdjusted_), placed_.end(), isWanted);
  if (next == placed_.end()) next = std::find_if(placed_.begin(), placed_.end(), isWanted);
  if (next == placed_.end()) {
    // Now, and not at every step: both runs of a pair have their values.
    const auto last = placed_.find(lastAdjusted_);
    if (last != placed_.end() && retitle(last->second.run->analysis)) emit runsChanged();
    return;
  }
  lastAdjusted_ = next->first;
  const Run& run = *next->second.run;
  const OptionValues values = *std::exchange(next->second.wanted, std::nullopt);
  adjusting_ = values;
  const bool rename = mayRename(*run.analysis, run.options, values);
  auto work = [recipe = run, values, rename, names = next->second.adjusted](const Progress& progress) {
    const RunResult& result = *recipe.result;
    Adjustment made{result.adjust(values, progress), {}};
    setRanges(made.layers);
    const auto provenance = std::make_shared<const Provenance>(adjustedProvenance(recipe, values));
    for (Layer& layer : made.layers) layer.provenance = provenance;
    if (!rename) return made;
    const auto present = namesOf(made.layers);
    for (const std::string& name : names ? *names : namesOf(result.adjust(recipe.options, progress)))
      if (std::find(present.begin(), present.end(), name) == present.end()) made.gone.push_back(name);
    return made;
  };
  auto done = [this, id = run.id, values, before = run.options](Adjustment made) {
    lastFault_.clear();
    const auto placed = placed_.find(id);
    if (placed == placed_.end() || placed->second.run->options != before) return;
    if (placed->second.wanted == before)
      placed->second.wanted.reset();  // what is on screen is wanted again
    else
      applyAdjustment(id, values, std::move(made.layers), made.gone);
  };
  auto report = [this, analysis = run.analysis](const JobReport& what) {
    if (what.state == JobState::queued || what.state == JobState::running) return;
    adjusting_.reset();
    if (what.state == JobState::failed && std::exchange(lastFault_, what.error) != what.error)
      emit failed(words(analysis->title), localizeForWindow(*analysis, what.error));
    nextAdjustment();
  };
  workers_.quick.submit(std::move(work), std::move(done), std::move(report));
}

void RunController::applyAdjustment(int runId, const OptionValues& values, std::vector<Layer> layers,
                                    const std::vector<std::string>& gone) {
  const auto found = placed_.find(runId);
  if (found == placed_.end()) return;  // closed meanwhile
  found->second.adjusted = namesOf(layers);
  const std::shared_ptr<Run> run = found->second.run;
  run->options = values;
  run->adjusted = true;
  jobs_.setLastWord(run->job, shownText(*run->analysis, run->computed, values));
  const std::shared_ptr<RunLayers> on = found->second.layers;  // removing its last layer forgets the run
  on->change(std::move(layers), gone);
  const auto ids = on->ids();
  if (std::exchange(run->layers, ids) != ids) emit layersShown(ids);
  emit adjusted(run);
}

}  // namespace sulcus::ui::model
