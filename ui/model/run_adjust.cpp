// RunController: what is changed on a finished result without running again.
#include "core/analysis/command_line.h"
#include "ui/model/run_controller.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui {
namespace {

struct Adjustment {
  std::vector<Layer> layers;
  std::vector<std::string> gone;  ///< names that the former values gave and these do not
};

std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  for (const Layer& layer : layers) names.push_back(layer.name);
  return names;
}

/// Whether the layers may be others, not only their values: a number adds and removes none.
bool mayRename(const Analysis& analysis, const OptionValues& before, const OptionValues& now) {
  return std::any_of(analysis.options.begin(), analysis.options.end(), [&](const OptionInfo& option) {
    return option.afterwards && !std::holds_alternative<double>(option.defaultValue) &&
           !std::holds_alternative<std::int64_t>(option.defaultValue) &&
           before.at(option.name) != now.at(option.name);
  });
}

}  // namespace

void RunController::adjust(const AnalysisPresenter& presenter) {
  const Analysis& analysis = presenter.analysis();
  OptionValues& chosen = chosen_[&analysis];
  chosen.clear();
  for (const OptionInfo& option : analysis.options)
    if (option.afterwards) chosen[option.name] = presenter.options().at(option.name);
  for (const auto& run : runs_)
    if (run->analysis == &analysis) requestAdjustment(*run);
  nextAdjustment();
}

void RunController::requestAdjustment(const Run& run) {
  const auto chosen = chosen_.find(run.analysis);
  if (chosen == chosen_.end() || !run.result->adjust) return;
  OptionValues values = run.options;
  for (const auto& [name, value] : chosen->second) values[name] = value;
  if (values == run.options)
    wanted_.erase(run.id);
  else
    wanted_[run.id] = std::move(values);
}

void RunController::nextAdjustment() {
  if (adjusting_ || wanted_.empty()) return;
  // In turn, so that two results that are compared follow a slider together.
  auto next = wanted_.upper_bound(lastAdjusted_);
  if (next == wanted_.end()) next = wanted_.begin();
  const RunPtr run = this->run(next->first);
  const OptionValues values = next->second;
  lastAdjusted_ = next->first;
  wanted_.erase(next);
  if (!run) return nextAdjustment();
  adjusting_ = true;
  const auto known = adjustableNames_.find(run->id);
  const bool rename = mayRename(*run->analysis, run->options, values);
  auto work = [recipe = *run, values, rename,
               names = known == adjustableNames_.end() ? std::nullopt : std::optional(known->second)](
                  const Progress& progress) {
    const RunResult& result = *recipe.result;
    Adjustment made{result.adjust(values, progress), {}};
    setRanges(made.layers);
    auto provenance = std::make_shared<Provenance>(result.provenance);
    provenance->parameters = values;
    provenance->commandLine =
        commandLine(*recipe.analysis, recipe.inputs, values, backendName(recipe.backend));
    for (Layer& layer : made.layers) layer.provenance = provenance;
    if (!rename) return made;
    const auto present = namesOf(made.layers);
    for (const std::string& name : names ? *names : namesOf(result.adjust(recipe.options, progress)))
      if (std::find(present.begin(), present.end(), name) == present.end()) made.gone.push_back(name);
    return made;
  };
  auto done = [this, run, values](Adjustment made) {
    lastFault_.clear();
    applyAdjustment(run, values, std::move(made.layers), made.gone);
  };
  auto report = [this, title = run->analysis->title](const JobReport& what) {
    if (what.state == JobState::queued || what.state == JobState::running) return;
    adjusting_ = false;
    if (what.state == JobState::failed && std::exchange(lastFault_, what.error) != what.error)
      emit failed(QString::fromStdString(title), QString::fromStdString(what.error));
    nextAdjustment();
  };
  quick_.submit(std::move(work), std::move(done), std::move(report));
}

void RunController::applyAdjustment(const RunPtr& run, const OptionValues& values, std::vector<Layer> layers,
                                    const std::vector<std::string>& gone) {
  const auto place = places_.find(run->id);
  if (place == places_.end()) return;  // closed meanwhile
  adjustableNames_[run->id] = namesOf(layers);
  // runs_ holds what was made here: none of them is const but to others.
  auto& mine = const_cast<Run&>(*run);
  mine.options = values;
  mine.adjusted = true;
  const std::shared_ptr<RunLayers> on = place->second;  // removing its last layer forgets the run
  on->change(std::move(layers), gone);
  const auto ids = on->ids();
  const bool others = ids != mine.layers;
  mine.layers = ids;
  if (others) emit layersShown(ids);
  emit adjusted(run);
}

}  // namespace sulcus::ui
