#include "ui/model/history.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

QString historyTr(const char* text) { return QCoreApplication::translate("history", text); }

const LayerState* layerIn(const SessionState& state, LayerId id) {
  const auto found = std::ranges::find(state.layers, id, &LayerState::id);
  return found == state.layers.end() ? nullptr : &*found;
}

/// What made `b` of `a`; the first thing that is found, as a step is usually one.
QString changeText(const SessionState& a, const SessionState& b) {
  if (b.runs.runs.size() > a.runs.runs.size())
    return historyTr("result %1").arg(b.runs.runs.back().run.title);
  for (const LayerState& layer : a.layers)
    if (!layerIn(b, layer.id)) return historyTr("removal of %1").arg(layer.name);
  for (const LayerState& layer : b.layers)
    if (!layerIn(a, layer.id)) return historyTr("opening of %1").arg(layer.name);
  for (const auto& [name, choices] : b.choices) {
    const auto before = a.choices.find(name);
    if (before != a.choices.end() && before->second.options != choices.options)
      return historyTr("parameters of %1").arg(QString::fromStdString(name));
  }
  for (const LayerState& layer : b.layers) {
    const LayerState& before = *layerIn(a, layer.id);
    if (before.name != layer.name) return historyTr("name %1").arg(layer.name);
    if (before.display != layer.display || before.volume != layer.volume)
      return historyTr("display of %1").arg(layer.name);
    if (before.layer != layer.layer) return historyTr("change of %1").arg(layer.name);
  }
  return std::ranges::equal(a.layers, b.layers, {}, &LayerState::id, &LayerState::id)
             ? historyTr("choice of images")
             : historyTr("order of layers");
}

}  // namespace

void History::begin(SessionState now) {
  states_.clear();
  states_.push_back({std::move(now), {}, nextStamp_++});
  at_ = 0;
}

bool History::note(SessionState now) {
  if (states_.empty()) return begin(std::move(now)), false;
  Step& present = states_[at_];
  if (sameWork(present.state, now)) {
    present.state = std::move(now);
    return false;
  }
  QString what = changeText(present.state, now);
  states_.erase(states_.begin() + std::ptrdiff_t(at_) + 1, states_.end());
  states_.push_back({std::move(now), std::move(what), nextStamp_++});
  if (states_.size() > kMost) states_.erase(states_.begin());
  at_ = states_.size() - 1;
  return true;
}

}  // namespace sulcus::ui::model
