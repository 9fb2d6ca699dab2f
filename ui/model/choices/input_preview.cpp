#include "ui/model/choices/input_preview.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

constexpr int kMillisecondsBetween = 100;

/// Whether two previews, computed separately, show the same surface or table.
bool showSame(const Layer& a, const Layer& b) {
  const auto* const s = std::get_if<TableLayer>(&a.content);
  const auto* const t = std::get_if<TableLayer>(&b.content);
  if (s && t) return s->columns == t->columns && s->rows == t->rows;
  const auto* const x = std::get_if<MeshLayer>(&a.content);
  const auto* const y = std::get_if<MeshLayer>(&b.content);
  return x && y && x->mesh->points == y->mesh->points && x->mesh->triangles == y->mesh->triangles;
}

}  // namespace

InputPreview::InputPreview(LayerStack& layers, RunController& runs, JobQueue& quick, QObject* parent)
    : QObject(parent), layers_(layers), showing_(quick), spanning_(quick) {
  soon_.setSingleShot(true);
  soon_.setInterval(kMillisecondsBetween);
  connect(&soon_, &QTimer::timeout, this, &InputPreview::request);
  connect(&runs, &RunController::placed, this, [this](const Analysis* analysis) {
    if (!presenter_ || analysis != &presenter_->analysis()) return;
    settled_[analysis] = choice();
    settledLayers_[analysis] = {presenter_->inputs().ids(), made_};
    soon_.stop();
    clear();
  });
  connect(&layers, &LayerStack::removed, this, [this](LayerId id) {  // its previews are large
    std::erase_if(settledLayers_, [id](const auto& made) {
      return std::ranges::any_of(made.second.inputs, [id](const auto& input) { return input.second == id; });
    });
  });
}

InputPreview::~InputPreview() = default;

void InputPreview::settle(const std::vector<RunPtr>& runs) {
  for (const RunPtr& run : runs) {
    settled_[run->analysis] = {run->inputIds, optionsOfRun(*run->analysis, run->options)};
    settledLayers_.erase(run->analysis);
  }
}

void InputPreview::setPresenter(AnalysisPresenter* presenter) {
  if (presenter == presenter_) return;
  if (presenter_) {
    disconnect(&presenter_->inputs(), nullptr, this, nullptr);
    disconnect(&presenter_->options(), nullptr, this, nullptr);
  }
  clear();
  asked_.clear();
  askedOptions_.clear();
  held_.reset();
  made_.clear();
  presenter_ = presenter;
  if (!presenter_ || !(presenter_->analysis().inputLayers || presenter_->analysis().spans)) return;
  connect(&presenter_->inputs(), &InputChoice::changed, this, &InputPreview::change);
  connect(&presenter_->options(), &OptionChoice::changed, this, &InputPreview::change);
  change();
}

void InputPreview::hold() {
  if (presenter_) held_ = optionsOfRun(presenter_->analysis(), presenter_->options().values());
}

void InputPreview::ask() {
  if (std::exchange(held_, std::nullopt) && !asked_.empty()) make();
}

bool InputPreview::isHeld() {
  if (held_ && (*held_ != askedOptions_ || !presenter_->inputs().isAutomatic())) held_.reset();
  return held_.has_value();
}

InputPreview::Choice InputPreview::choice() const {
  return {presenter_->inputs().ids(), optionsOfRun(presenter_->analysis(), presenter_->options().values())};
}

void InputPreview::change() {
  if (!presenter_->whyNot(RunChoice::cpu).isEmpty()) {  // at once, leaving nothing of them behind
    soon_.stop();
    request();
  } else if (!soon_.isActive()) {
    soon_.start();
  }
}

void InputPreview::request() {
  if (!presenter_) return;
  const Analysis& analysis = presenter_->analysis();
  const bool possible = presenter_->whyNot(RunChoice::cpu).isEmpty();
  const AnalysisInputs inputs = possible ? presenter_->inputs().contents() : AnalysisInputs();
  const OptionValues before = optionsOfRun(analysis, presenter_->options().values());
  const bool otherInputs = inputs != asked_;
  if (!otherInputs && before == askedOptions_) return;
  asked_ = inputs;
  askedOptions_ = before;
  if (otherInputs) {
    clear();
    made_.clear();
    presenter_->setSpans({});
  }
  if (inputs.empty()) return presenter_->setInputFault({});
  if (otherInputs && analysis.spans)
    spanning_.submit([spans = analysis.spans, inputs](const Progress&) { return spans(inputs); },
                     [this](const std::map<std::string, Range>& spans) {
                       if (presenter_) presenter_->setSpans(spans);
                     });
  if (!isHeld()) make();
}

void InputPreview::make() {
  const Analysis& analysis = presenter_->analysis();
  const auto settled = settled_.find(&analysis);
  const bool isSettled = settled != settled_.end() && settled->second == choice();
  // For a run restored from a session, the inputs as it interpreted them are determined but not shown.
  const bool unknown = isSettled && !settledLayers_.contains(&analysis);
  if (!analysis.inputLayers) return;
  if (isSettled && !unknown) {
    made_ = settledLayers_.at(&analysis).layers;
    return;
  }
  if (settled != settled_.end() && !isSettled) settled_.erase(settled);
  showing_.submit(
      [make = analysis.inputLayers, inputs = asked_,
       options = presenter_->options().values()](const Progress& progress) {
        std::vector<Layer> layers = make(inputs, options, progress);
        setRanges(layers);
        return layers;
      },
      [this, unknown](std::vector<Layer> layers) {
        if (!presenter_) return;
        presenter_->setInputFault({});
        if (unknown) {
          made_ = layers;
          settledLayers_[&presenter_->analysis()] = {presenter_->inputs().ids(), std::move(layers)};
        } else {
          show(std::move(layers));
        }
      },
      [this](const Message& fault) {
        hide();
        if (presenter_) presenter_->setInputFault(fault);
      });
}

void InputPreview::show(std::vector<Layer> layers) {
  made_ = layers;
  // The options differ, but the preview is the same as that of the last run.
  if (std::ranges::equal(layers, settledLayers_[&presenter_->analysis()].layers, showSame)) return hide();
  // A surface that is used as it is is already on the stack.
  std::erase_if(layers, [this](const Layer& layer) {
    return std::any_of(asked_.begin(), asked_.end(),
                       [&](const auto& input) { return sameContent(layer.content, input.second->content); });
  });
  if (layers.empty()) return hide();
  if (!shown_) shown_ = std::make_unique<RunLayers>(layers_, tr("preview"), Origin::temporary);
  shown_->show(std::move(layers), true);
}

void InputPreview::clear() {
  showing_.drop();
  hide();
}

void InputPreview::hide() {
  if (const auto shown = std::exchange(shown_, nullptr)) shown->discard();
}

}  // namespace sulcus::ui::model
