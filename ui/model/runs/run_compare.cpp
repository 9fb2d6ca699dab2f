// RunController: two runs, or two layers, are compared.
#include "ui/model/runs/compared_layers.h"
#include "ui/model/runs/run_request.h"
#include "ui/model/text/localize.h"
#include "ui/scene/scene_layer.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// How a difference is drawn unless its analysis says otherwise: diverging around 0 where it has a sign, from
/// 0 where it has none, and never so finely that what lies within the tolerance looks like a difference.
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

void RunController::endComparison(const RunPtr& with) {
  if (!compared_ || (compared_->a != with && compared_->b != with)) return;
  compared_.reset();
  emit comparisonGone();
}

void RunController::compare(RunPtr a, RunPtr b) {
  if (!mayCompare(a, b)) return;
  std::tie(a, b) = std::pair(sideLike(a, b), sideLike(b, a));
  if (!a->analysis->compare) return;
  emit comparing(a->title, b->title, a->stored || b->stored);
  if (a->stored || b->stored) {
    toCompare_ = {a, b};
    makeAgain(a);
    makeAgain(b);
    return;
  }
  const QString name = tr("Compare %1 and %2").arg(a->title, b->title);
  const JobId job = jobs_.add(name, {});
  ++pending_;
  // The results as they are on the stack now.
  auto work = [a, b, recipeA = *a, recipeB = *b](const Progress& progress) {
    const RunResult resultA = shownResult(recipeA, progress), resultB = shownResult(recipeB, progress);
    ComparedRuns compared{
        a, b, a->analysis->compare(resultA, resultB, progress.part(0, 0.6, "compare")), {}, {}, 0, 0};
    if (compared.comparison.difference) setDifferenceDisplay(compared.comparison);
    if (a->analysis->compareWithTruth) {
      const auto& compare = a->analysis->compareWithTruth;
      compared.truthA = compare(resultA, a->inputs, progress.part(0.6, 0.8, "truth"));
      compared.truthB = compare(resultB, b->inputs, progress.part(0.8, 1, "truth"));
    }
    return compared;
  };
  auto done = [this, job](ComparedRuns compared) {
    if (!isThere(*compared.a) || !isThere(*compared.b)) {
      jobs_.log(job, tr("The comparison was dropped (one of the two was closed or has changed): compare two "
                        "that are there."));
      return;
    }
    showCompared(compared);
    compared_ = std::make_shared<const ComparedRuns>(std::move(compared));
    emit this->compared(compared_);
  };
  auto report = [this, job, name, analysis = a->analysis](const JobReport& what) {
    over(*analysis, job, name, what);
  };
  jobs_.setTicket(job, workers_.computing.submit(std::move(work), std::move(done), std::move(report)));
}

void RunController::showCompared(ComparedRuns& compared) {
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
    // A run may have shown it already.
    for (const LayerId id : compared.a->layers)
      if (const LayerState* state = layers_.find(id);
          state && sameContent(state->layer->content, comparison.before->content))
        compared.before = id;
    if (compared.before == 0) compared.before = addHidden(*comparison.before, tr("before").toStdString());
  }
  layers_.setCurrent(current);
  // Two surfaces are compared in the same colors.
  const auto first = [this](const Run& run) {
    const LayerState* state = run.layers.empty() ? nullptr : layers_.find(run.layers.front());
    return state && scene::shownScalars(*state->layer, state->volume) ? state : nullptr;
  };
  const LayerState *a = first(*compared.a), *b = first(*compared.b);
  if (!a || !b) return;
  Display ofA = a->display, ofB = b->display;
  ofA.range = ofB.range =
      Range{std::min(ofA.range->low, ofB.range->low), std::max(ofA.range->high, ofB.range->high)};
  ofB.colormap = ofA.colormap;
  layers_.setDisplay(a->id, ofA);
  layers_.setDisplay(b->id, ofB);
}

}  // namespace sulcus::ui::model
