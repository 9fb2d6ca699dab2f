#include "ui/model/runs/growing_lines.h"

#include "core/base/stage_clock.h"
#include "core/image/tracts/tract_regions.h"
#include "ui/model/text/localize.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

// Of a picture the lines have a part; the rest is drawing.
constexpr double kSecondsWhileMoved = 0.04, kSecondsAtRest = 0.25;
constexpr int kPauseWhileMoved = 200, kPauseAtRest = 20;  // ms before it goes on

}  // namespace

struct GrowingLines::Step {
  Growth::Lines lines;
  double seconds = 0;
};

GrowingLines::GrowingLines(LayerStack& layers, AnalysisPresenter* presenter, JobQueue& queue, QObject* parent)
    : QObject(parent), layers_(layers), presenter_(presenter), queue_(queue), growing_(queue) {
  goingOn_.setSingleShot(true);
  connect(&goingOn_, &QTimer::timeout, this, [this] { step(false); });
  if (!presenter_) return;
  connect(presenter_, &AnalysisPresenter::readinessChanged, this, [this] {  // follows all choices
    followChoices();
    emit changed();
  });
  connect(&layers_, &LayerStack::removed, this, [this](LayerId id) {
    if (id != layer_) return;
    layer_ = 0;  // by the user, who has seen enough
    stop();
  });
}

GrowingLines::~GrowingLines() = default;

bool GrowingLines::canGrow() const { return presenter_ && presenter_->whyNot(RunChoice::cpu).isEmpty(); }

Backend GrowingLines::backend() const {
  const bool isHere = presenter_->gpuHost().isEmpty();
  return isHere && presenter_->whyNot(RunChoice::gpu).isEmpty() ? Backend::gpu : Backend::cpu;
}

std::string GrowingLines::regionsText() const {
  std::string text;
  for (const TractRegion& region : regions_) text += (text.empty() ? "" : "; ") + textOf(region);
  return text;
}

void GrowingLines::setOptionQuietly(const std::string& name, const OptionValue& value) {
  const QScopedValueRollback<bool> choosing(choosing_, true);
  presenter_->options().set(name, value);
}

void GrowingLines::writeRegions() { setOptionQuietly(presenter_->analysis().growth.regions, regionsText()); }

/// Takes the options that seeds need, and shows where lines will be.
void GrowingLines::begin() {
  if (on_) return;
  on_ = true;
  facts_ = {};
  auto layer = std::make_shared<Layer>();
  layer->name = tr("growing lines").toStdString();
  layer->content = TractsLayer{std::make_shared<const Tracts>()};
  layer_ = layers_.add(std::move(layer), Origin::temporary);
  const OptionValues defaults = defaultsOf(presenter_->analysis().options);
  for (const auto& [name, value] : presenter_->analysis().growth.options) {
    if (presenter_->options().values().at(name) != defaults.at(name)) continue;
    setOptionQuietly(name, value);
    added_[name] = value;
  }
}

void GrowingLines::addRegion(TractRegion::Shape shape, const Vec3<double>& center, double reach) {
  if (!canGrow()) return;
  begin();
  regions_.push_back({TractRegion::Role::seed, shape, center, {reach, reach, reach}});
  region_ = int(regions_.size()) - 1;
  writeRegions();
  show();
  step(true);
  emit changed();
}

void GrowingLines::growFromPainted(LayerId labels) {
  if (!canGrow()) return;
  begin();
  regions_.clear();
  region_ = -1;
  writeRegions();
  {
    const QScopedValueRollback<bool> choosing(choosing_, true);
    presenter_->inputs().choose(presenter_->analysis().growth.painted, labels);
  }
  painted_ = labels;
  show();
  step(true);
  emit changed();
}

void GrowingLines::removeRegion(int region) {
  if (region < 0 || region >= int(regions_.size())) return;
  regions_.erase(regions_.begin() + region);
  region_ = std::min(region_, int(regions_.size()) - 1);
  if (regions_.empty()) return stop();
  writeRegions();
  show();
  step(true);
  emit changed();
}

void GrowingLines::takeRegion(int region) {
  region_ = std::clamp(region, -1, int(regions_.size()) - 1);
  show();
  emit changed();
}

void GrowingLines::changeRegion(int region, const TractRegion& changed, bool done) {
  if (region < 0 || region >= int(regions_.size())) return;
  regions_[std::size_t(region)] = changed;
  region_ = region;
  moves_ = !done;
  if (done) writeRegions();
  step(true);  // with its lines: one picture a step
}

GrowingLines::Choice GrowingLines::choice() const {
  Choice now{presenter_->inputs().contents(), presenter_->options().values()};
  now.options[presenter_->analysis().growth.regions] = regionsText();
  return now;
}

/// The form, undo or a session has other choices.
void GrowingLines::followChoices() {
  if (choosing_ || !on_) return;
  const Growth& growth = presenter_->analysis().growth;
  const auto text = std::get<std::string>(presenter_->options().values().at(growth.regions));
  if (!moves_ && text != regionsText()) {
    regions_.clear();
    for (const std::string& part : regionTexts(text))
      if (const auto region = regionIn(part, TractRegion::Role::seed)) regions_.push_back(*region);
    region_ = std::min(region_, int(regions_.size()) - 1);
  }
  if (!canGrow() || (regions_.empty() && presenter_->inputs().first(growth.painted) == 0)) return stop();
  if (choice() == asked_) return;
  show();
  step(true);
}

/// Grows for a moment more; of what is asked for meanwhile only the newest counts.
void GrowingLines::step(bool isNew) {
  if (!on_) return;
  goingOn_.stop();
  const Backend wanted = backend();
  if (!grow_ || growsOn_ != wanted) {
    grow_ = std::make_shared<Growth::Step>(presenter_->analysis().growth.begin(wanted));
    growsOn_ = wanted;
  }
  asked_ = choice();
  growing_.submit(
      [grow = grow_, choice = asked_,
       seconds = isNew || moves_ ? kSecondsWhileMoved : kSecondsAtRest](const Progress& progress) {
        const StageClock clock;
        Step done{(*grow)(choice.inputs, choice.options, seconds, progress), 0};
        done.seconds = clock.seconds();
        return done;
      },
      [this](const Step& done) { deliver(done); },
      [this](const Message& fault) {
        facts_ = {};
        facts_.fault = localizeForWindow(presenter_->analysis(), fault);
        emit changed();
      });
}

void GrowingLines::deliver(const Step& done) {
  if (!on_) return;
  const auto& tracts = std::get<TractsLayer>(done.lines.layer.content).tracts;
  facts_ = {tracts->lines(), done.lines.followed, done.lines.seeds, done.seconds, {}};
  {
    const LayerStack::BatchUpdate together(layers_);
    layers_.replaceContent(layer_, std::make_shared<Layer>(done.lines.layer));
    show();
  }
  emit grown();
  emit changed();
  if (facts_.followed < facts_.seeds) goingOn_.start(moves_ ? kPauseWhileMoved : kPauseAtRest);
}

/// Shows the regions where they are now.
void GrowingLines::show() {
  auto shown = std::make_shared<scene::ShownTracts>();
  shown->regions = regions_;
  shown->region = region_;
  shown->moves = moves_;
  layers_.setShownTracts(layer_, std::move(shown));
}

void GrowingLines::stop() {
  if (!std::exchange(on_, false)) return;
  goingOn_.stop();
  growing_.drop();
  // What lies on a GPU goes where it was made.
  queue_.submit(
      [grow = std::exchange(grow_, nullptr)](const Progress&) mutable { return grow.reset(), true; },
      [](bool) {});
  regions_.clear();
  region_ = -1;
  moves_ = false;
  asked_ = {};
  writeRegions();
  const OptionValues defaults = defaultsOf(presenter_->analysis().options);
  for (const auto& [name, value] : std::exchange(added_, {}))
    if (presenter_->options().values().at(name) == value) setOptionQuietly(name, defaults.at(name));
  const std::string& slot = presenter_->analysis().growth.painted;
  if (const LayerId painted = std::exchange(painted_, 0);
      painted && presenter_->inputs().first(slot) == painted) {
    const QScopedValueRollback<bool> choosing(choosing_, true);
    presenter_->inputs().choose(slot, 0);
  }
  if (const LayerId gone = std::exchange(layer_, 0)) layers_.remove(gone);
  emit changed();
}

LayerPtr GrowingLines::lines() const {
  const LayerState* state = layers_.find(layer_);
  if (!state) return nullptr;
  auto layer = std::make_shared<Layer>(*state->layer);
  layer->name = "grown lines";
  layer->notes = {"Lines of " + std::to_string(facts_.followed) + " seeds in " +
                  (regions_.empty() ? "a painted region" : regionsText()) + "."};
  return layer;
}

}  // namespace sulcus::ui::model
