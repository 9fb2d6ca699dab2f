#include "ui/model/choices/presenters.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Volumes of an image, or of peaks and their function; 1 for anything else.
int volumeCountOf(const Layer& layer) {
  if (const auto* image = std::get_if<VolumeLayer>(&layer.content)) return image->series->count;
  const auto* peaks = std::get_if<PeaksLayer>(&layer.content);
  if (!peaks) return 1;
  return std::max({1, peaks->peaks->count, peaks->tensor ? peaks->tensor->count : 0});
}

}  // namespace

Presenters::Presenters(const std::vector<Analysis>& analyses, LayerStack& layers) : layers_(layers) {
  for (const Analysis& analysis : analyses) {
    all_.push_back(std::make_unique<AnalysisPresenter>(analysis, layers_));
    connect(all_.back().get(), &AnalysisPresenter::readinessChanged, this, [this] {
      if (std::exchange(raising_, true)) return;
      QMetaObject::invokeMethod(this, &Presenters::raiseFitting,
                                Qt::QueuedConnection);  // after all receivers were notified
    });
  }
  if (!all_.empty()) current_ = all_.front().get();
  connect(&layers_, &LayerStack::removed, this, [this] {
    if (!layers_.empty()) return;
    kept_ = false;
    emit suggested();
  });
}

AnalysisPresenter* Presenters::named(const QString& analysis) const {
  const auto found = std::ranges::find_if(all_, [&](const auto& presenter) {
    return QString::fromStdString(presenter->analysis().name) == analysis;
  });
  return found == all_.end() ? nullptr : found->get();
}

AnalysisPresenter* Presenters::withGrowth() const {
  const auto found = std::ranges::find_if(
      all_, [](const auto& presenter) { return bool(presenter->analysis().growth.begin); });
  return found == all_.end() ? nullptr : found->get();
}

void Presenters::choose(AnalysisPresenter* presenter) {
  raise(presenter);
  keepCurrent();
}

void Presenters::keepCurrent() {
  kept_ = true;
  ofExample_ = false;
  emit chosen();
}

void Presenters::keepForExample() {
  keepCurrent();
  ofExample_ = true;
}

void Presenters::endExample() {
  if (!std::exchange(ofExample_, false)) return;
  kept_ = false;
  raiseFitting();
}

void Presenters::raise(AnalysisPresenter* presenter) {
  if (presenter == current_) return;
  current_ = presenter;
  emit currentChanged();
}

int Presenters::volumesUsed(const AnalysisPresenter& presenter) const {
  std::set<LayerId> used;
  for (const auto& [slot, id] : presenter.inputs().ids()) used.insert(id);
  int volumes = 0;
  for (const LayerState& state : layers_.layers())
    if (state.origin == Origin::given && used.contains(state.id)) volumes += volumeCountOf(*state.layer);
  return volumes;
}

void Presenters::raiseFitting() {
  raising_ = false;
  if (kept_ || layers_.empty()) return;
  // The one that uses most of what was opened, such as Group for maps and a table of people.
  AnalysisPresenter* best = nullptr;
  int most = -1;
  for (const auto& presenter : all_) {
    if (!presenter->whyNot(RunChoice::cpu).isEmpty()) continue;
    const int volumes = volumesUsed(*presenter);
    if (volumes <= most) continue;
    best = presenter.get();
    most = volumes;
  }
  if (!best || best == current_) return;
  raise(best);
  emit suggested();  // the requested picture stays
}

void Presenters::takeBeside(LayerId table, const QString& role, LayerId scan) {
  // Events are not used along with a design, which contains the same information.
  const std::string slot = role.toStdString();
  for (const auto& presenter : all_) {
    InputChoice& inputs = presenter->inputs();
    const bool hasDesign = inputs.first("design") != 0;
    // A table next to a scan belongs to it: it replaces one that the user has not chosen.
    if (inputs.slotNamed(slot) && !hasDesign && inputs.first("events") == 0) inputs.replaceAutomatic(scan);
    const bool wanted = slot == "design" || (slot == "events" && !hasDesign);
    if (wanted && inputs.isChosen(scan) && inputs.first(slot) == 0) inputs.choose(slot, table);
  }
}

}  // namespace sulcus::ui::model
