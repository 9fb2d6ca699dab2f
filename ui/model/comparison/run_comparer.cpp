#include "ui/model/comparison/run_comparer.h"

#include "core/analysis/layer_agreement.h"
#include "ui/model/comparison/compared_layers.h"
#include "ui/model/runs/run_adjuster.h"
#include "ui/model/text/localize.h"
#include "ui/scene/scene_layer.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// How a difference is displayed unless its analysis says otherwise: diverging around 0 if it is signed, from
/// 0 if not, and with a range wide enough that values within the tolerance do not look like a difference.
void setDifferenceDisplay(Comparison& comparison) {
  auto* volume = comparison.difference ? std::get_if<VolumeLayer>(&comparison.difference->content) : nullptr;
  Display& display = comparison.difference->display;
  if (!volume || display.range) return;
  const Range values = automaticRange(volume->series->values);
  const double tolerance = comparison.rows.empty() ? 0 : comparison.rows.front().tolerance;
  const double reach = std::max({std::abs(values.low), std::abs(values.high), tolerance});
  const bool isSigned = values.low < 0;
  display.range = Range{isSigned ? -reach : 0, reach};
  display.colormap = isSigned ? "cool-warm" : "inferno";
  display.colorBar = true;
  display.interpolate = false;
}

}  // namespace

RunComparer::RunComparer(const std::vector<RunPtr>& runs, LayerStack& layers, RunJobs& jobs, JobQueue& queue,
                         QObject* parent)
    : QObject(parent), runs_(runs), layers_(layers), jobs_(jobs), queue_(queue) {
  connect(&layers_, &LayerStack::removed, this, &RunComparer::endOf);
  connect(&layers_, &LayerStack::contentChanged, this, &RunComparer::endOf);
}

RunPtr RunComparer::run(int id) const {
  const auto found = std::ranges::find(runs_, id, &Run::id);
  return found == runs_.end() ? nullptr : *found;
}

std::vector<RunPtr> RunComparer::sides() const {
  std::vector<RunPtr> all = runs_;
  const auto& layers = layers_.layers();
  for (auto state = layers.rbegin(); state != layers.rend(); ++state)
    if (state->origin != Origin::temporary && sulcus::mayCompare(*state->layer, *state->layer))
      all.push_back(sideOf(*state));
  return all;
}

RunPtr RunComparer::sideLike(const RunPtr& side, const RunPtr& other) const {
  if (!side || !other || side->analysis == other->analysis || isLayerSide(*side)) return side;
  if (!isLayerSide(*other)) return nullptr;  // from two analyses
  for (const LayerId id : side->layers)
    if (const LayerState* state = layers_.find(id);
        state && sulcus::mayCompare(*state->layer, layerOfSide(*other)))
      return sideOf(*state);
  return nullptr;
}

bool RunComparer::mayCompare(const RunPtr& a, const RunPtr& b) const {
  const RunPtr first = sideLike(a, b), second = sideLike(b, a);
  if (!first || !second || first == second) return false;
  if (!isLayerSide(*first)) return true;
  return first->layers != second->layers && sulcus::mayCompare(layerOfSide(*first), layerOfSide(*second));
}

bool RunComparer::isThere(const Run& side) const {
  if (!isLayerSide(side)) return run(side.id) != nullptr;
  const LayerState* state = layers_.find(side.layers.front());
  return state && sameContent(state->layer->content, layerOfSide(side).content);
}

void RunComparer::endOf(LayerId layer) {
  if (!compared_) return;
  for (const RunPtr& side : {compared_->a, compared_->b})
    if (isLayerSide(*side) && side->layers.front() == layer && !isThere(*side)) return end(side);
}

void RunComparer::end(const RunPtr& with) {
  if (!compared_ || (compared_->a != with && compared_->b != with)) return;
  compared_.reset();
  emit gone();
}

void RunComparer::compare(RunPtr a, RunPtr b) {
  if (!mayCompare(a, b)) return;
  std::tie(a, b) = std::pair(sideLike(a, b), sideLike(b, a));
  if (!a->analysis->compare) return;
  emit comparing(a->title, b->title, a->stored || b->stored);
  if (a->stored || b->stored) {
    waiting_ = {a, b};
    emit needsResult(a);
    emit needsResult(b);
    return;
  }
  const QString name = tr("Compare %1 and %2").arg(a->title, b->title);
  const JobId job = jobs_.begin(name, {});
  // The results as they are on the stack now.
  auto work = [a, b, recipeA = *a, recipeB = *b](const Progress& progress) {
    const RunResult resultA = shownResult(recipeA, progress), resultB = shownResult(recipeB, progress);
    ComparedRuns compared{
        a, b, a->analysis->compare(resultA, resultB, progress.part(0, 0.5, "compare")), {}, {}, 0, 0, {}};
    auto maps = mapsBeside(resultA, resultB, progress.part(0.5, 0.6, ""));
    if (maps && !compared.comparison.difference) compared.comparison.difference = differenceOf(*maps);
    if (compared.comparison.difference) setDifferenceDisplay(compared.comparison);
    if (a->analysis->compareWithTruth) {
      const auto& compare = a->analysis->compareWithTruth;
      compared.truthA = compare(resultA, a->inputs, progress.part(0.6, 0.8, "truth"));
      compared.truthB = compare(resultB, b->inputs, progress.part(0.8, 1, "truth"));
    }
    return std::pair(std::move(compared), std::move(maps));
  };
  auto done = [this, job](std::pair<ComparedRuns, std::optional<std::array<Layer, 2>>> made) {
    auto& [compared, maps] = made;
    if (!isThere(*compared.a) || !isThere(*compared.b)) {
      jobs_.list().log(job, tr("The comparison was dropped (one of the two was closed or has changed): "
                               "compare two that are open."));
      return;
    }
    show(compared, maps);
    compared_ = std::make_shared<const ComparedRuns>(std::move(compared));
    emit finished(compared_);
  };
  auto report = [this, job, name, analysis = a->analysis](const JobReport& what) {
    jobs_.report(*analysis, job, name, what);
  };
  jobs_.list().setTicket(job, queue_.submit(std::move(work), std::move(done), std::move(report)));
}

/// The layer of a run with this content; 0: none.
LayerId RunComparer::shownOf(const Run& run, const LayerContent& content) const {
  for (const LayerId id : run.layers)
    if (const LayerState* state = layers_.find(id); state && sameContent(state->layer->content, content))
      return id;
  return 0;
}

void RunComparer::show(ComparedRuns& compared, const std::optional<std::array<Layer, 2>>& maps) {
  const LayerId current = layers_.current();
  const auto addHidden = [this](Layer layer, const std::string& title) {
    layer.name += " (" + title + ")";
    layer.display.visible = false;  // the compare layout shows it, the others need not
    const QString shown = layerTitle(layer.name);
    const LayerId id = layers_.add(std::make_shared<const Layer>(std::move(layer)), Origin::computed);
    layers_.rename(id, shown);
    return id;
  };
  const Comparison& comparison = compared.comparison;
  if (comparison.difference)
    compared.difference = addHidden(
        *comparison.difference, compared.a->title.toStdString() + " − " + compared.b->title.toStdString());
  if (comparison.before) {
    // A run may already show it.
    compared.before = shownOf(*compared.a, comparison.before->content);
    if (compared.before == 0) compared.before = addHidden(*comparison.before, tr("before").toStdString());
  }
  if (maps) {
    const std::array<RunPtr, 2> sides{compared.a, compared.b};
    std::optional<Range> range;
    for (std::size_t i = 0; i < 2; ++i) {
      const Layer& map = (*maps)[i];
      compared.maps[i] = shownOf(*sides[i], map.content);
      if (compared.maps[i] == 0) compared.maps[i] = addHidden(map, sides[i]->title.toStdString());
      const Range own = *layers_.find(compared.maps[i])->display.range;
      range = range ? Range{std::min(range->low, own.low), std::max(range->high, own.high)} : own;
    }
    for (const LayerId id : compared.maps) {
      Display display = layers_.find(id)->display;
      display.range = range;
      layers_.setDisplay(id, display);
    }
  }
  layers_.setCurrent(current);
  shareColors(*compared.a, *compared.b);
}

void RunComparer::shareColors(const Run& a, const Run& b) {
  const auto first = [this](const Run& run) {
    const LayerState* state = run.layers.empty() ? nullptr : layers_.find(run.layers.front());
    return state && scene::shownScalars(*state->layer, state->volume) ? state : nullptr;
  };
  const LayerState *stateA = first(a), *stateB = first(b);
  if (!stateA || !stateB) return;
  Display ofA = stateA->display, ofB = stateB->display;
  ofA.range = ofB.range =
      Range{std::min(ofA.range->low, ofB.range->low), std::max(ofA.range->high, ofB.range->high)};
  ofB.colormap = ofA.colormap;
  layers_.setDisplay(stateA->id, ofA);
  layers_.setDisplay(stateB->id, ofB);
}

void RunComparer::compareWaiting() {
  const auto [a, b] = waiting_;
  if (!a || !b || a->stored || b->stored) return;
  waiting_ = {};
  if (run(a->id) && run(b->id)) compare(a, b);
}

void RunComparer::restore(const ComparedPtr& state) {
  const auto now = [this](const RunPtr& side) {
    if (!isLayerSide(*side)) return run(side->id);
    return isThere(*side) ? side : nullptr;
  };
  const RunPtr a = state ? now(state->a) : nullptr;
  const RunPtr b = state ? now(state->b) : nullptr;
  if (compared_ && a == compared_->a && b == compared_->b) return;
  if (!a || !b) {
    if (std::exchange(compared_, nullptr)) emit gone();
    return;
  }
  auto again = std::make_shared<ComparedRuns>(*state);
  again->a = a;
  again->b = b;
  compared_ = std::move(again);
  emit finished(compared_);
}

}  // namespace sulcus::ui::model
