#include "ui/model/session/session_state.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sulcus::ui::model {
namespace {

bool sameLayer(LayerState a, const LayerState& b) {
  a.unsaved = b.unsaved;
  return a == b;
}

bool sameRun(RunsState::ShownRun a, const RunsState::ShownRun& b) {
  a.run.stored = b.run.stored;  // repeating a run adds to it and changes nothing
  if (a.run.stored) a.run.result = b.run.result;
  a.run.job = b.run.job;
  return a == b;
}

/// Renumbers ids without gaps from `first` on, equal ones to equal ones, and 0 to 0. Those that are still
/// open come last, so that the next layer opened, which gets the number after the greatest, is not mistaken
/// for one that was closed.
void numberAnew(const std::vector<int*>& ids, int first, const std::set<int>& open) {
  std::vector<int> old;
  for (const int* id : ids)
    if (*id > 0) old.push_back(*id);
  std::ranges::sort(old);
  old.erase(std::unique(old.begin(), old.end()), old.end());
  std::ranges::stable_partition(old, [&](int id) { return !open.contains(id); });
  std::map<int, int> anew{{0, 0}};
  for (const int id : old) anew.emplace(id, first++);
  for (int* id : ids) *id = anew[*id];
}

}  // namespace

std::map<std::string, AnalysisPresenter::Choices> choicesOf(const SessionState& state) {
  const auto lookedAt = [&](const RunsState::ShownRun& placed) {
    return std::ranges::find(placed.run.layers, state.current) != placed.run.layers.end();
  };
  const bool one = std::ranges::any_of(state.runs.runs, lookedAt);
  auto choices = state.choices;
  for (const RunsState::ShownRun& placed : state.runs.runs) {
    const auto form = choices.find(placed.run.analysis->name);
    if (form == choices.end() || (one && !lookedAt(placed))) continue;
    for (const OptionInfo& option : placed.run.analysis->options) {
      const auto shown = form->second.options.find(option.name);
      if (option.adjustable && shown != form->second.options.end() &&
          shown->second == placed.run.options.at(option.name))
        form->second.options.erase(shown);
    }
  }
  return choices;
}

bool sameWork(const SessionState& a, const SessionState& b) {
  return std::ranges::equal(a.layers, b.layers, sameLayer) && choicesOf(a) == choicesOf(b) &&
         std::ranges::equal(a.runs.runs, b.runs.runs, sameRun);
}

void renumber(SessionState& state, LayerId firstLayer, int firstRun) {
  std::vector<LayerId*> layers{&state.current, &state.view.pairLower, &state.view.pairUpper};
  std::set<LayerId> open;
  for (LayerState& layer : state.layers) {
    open.insert(layer.id);
    layers.insert(layers.end(), {&layer.id, &layer.opacityBy});
  }
  for (auto& [name, choices] : state.choices)
    for (auto& [slot, id] : choices.inputs) layers.push_back(&id);

  std::vector<Run*> runs;
  for (auto& placed : state.runs.runs) {
    runs.push_back(&placed.run);
    for (auto& shown : placed.shown) layers.push_back(&shown.id);
  }
  if (state.runs.compared) {
    auto compared = std::make_shared<ComparedRuns>(*state.runs.compared);
    for (RunPtr* side : {&compared->a, &compared->b}) {
      auto own = std::make_shared<Run>(**side);
      runs.push_back(own.get());
      *side = std::move(own);
    }
    layers.insert(layers.end(),
                  {&compared->difference, &compared->before, &compared->maps[0], &compared->maps[1]});
    state.runs.compared = std::move(compared);
  }
  std::vector<int*> numbers;
  for (Run* run : runs) {
    numbers.insert(numbers.end(), {&run->id, &run->together});
    for (auto& [slot, id] : run->inputIds) layers.push_back(&id);
    for (LayerId& id : run->layers) layers.push_back(&id);
  }
  numberAnew(layers, firstLayer, open);
  numberAnew(numbers, firstRun, {});
}

}  // namespace sulcus::ui::model
