#include "ui/model/session/history.h"

#include "ui/model/text/localize.h"

#include <QObject>
#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

const LayerState* layerIn(const SessionState& state, LayerId id) {
  const auto found = std::ranges::find(state.layers, id, &LayerState::id);
  return found == state.layers.end() ? nullptr : &*found;
}

/// What changed `a` into `b`; the first difference found, since a step is usually a single one.
QString changeText(const SessionState& a, const SessionState& b) {
  if (b.runs.runs.size() > a.runs.runs.size())
    return QObject::tr("result %1").arg(b.runs.runs.back().run.title);
  for (const LayerState& layer : a.layers)
    if (!layerIn(b, layer.id)) return QObject::tr("removal of %1").arg(layer.name);
  for (const LayerState& layer : b.layers)
    if (!layerIn(a, layer.id)) return QObject::tr("opening of %1").arg(layer.name);
  const auto chosenBefore = choicesOf(a);
  for (const auto& [name, choices] : choicesOf(b)) {
    const auto before = chosenBefore.find(name);
    if (before != chosenBefore.end() && before->second.options != choices.options)
      return QObject::tr("parameters of %1").arg(words(name));
  }
  for (const LayerState& layer : b.layers) {
    const LayerState& before = *layerIn(a, layer.id);
    if (before.name != layer.name) return QObject::tr("name %1").arg(layer.name);
    if (before.display != layer.display || before.volume != layer.volume)
      return QObject::tr("display of %1").arg(layer.name);
    if (before.layer != layer.layer) return QObject::tr("change of %1").arg(layer.name);
  }
  return std::ranges::equal(a.layers, b.layers, {}, &LayerState::id, &LayerState::id)
             ? QObject::tr("choice of images")
             : QObject::tr("order of layers");
}

double bytesOf(const Layer& layer) {
  struct Count {
    static double of(const std::shared_ptr<const Series<float>>& series) {
      return series ? 4.0 * double(series->values.size()) : 0;
    }
    double operator()(const VolumeLayer& volume) const { return of(volume.series); }
    double operator()(const LabelsLayer& labels) const { return 8.0 * double(labels.labels->values.size()); }
    double operator()(const PeaksLayer& peaks) const { return of(peaks.peaks) + of(peaks.tensor); }
    double operator()(const DisplacementLayer& field) const { return of(field.displacement); }
    double operator()(const MeshLayer& mesh) const { return 24.0 * double(mesh.mesh->triangles.size()); }
    double operator()(const TableLayer&) const { return 0; }
    double operator()(const CurveLayer&) const { return 0; }
    double operator()(const TractsLayer&) const { return 0; }  // shares its points; bundles are small
  };
  return std::visit(Count(), layer.content);
}

}  // namespace

bool History::canKeep(const std::vector<LayerPtr>& layers) const {
  double bytes = 0;
  for (const LayerPtr& layer : layers) bytes += bytesOf(*layer);
  return bytes <= mostBytes_ / 2;  // what follows them has room, too
}

void History::forgetOldest() {
  std::set<const Layer*> seen;
  for (const LayerState& layer : states_.back().state.layers) seen.insert(layer.layer.get());
  double bytes = 0;
  std::size_t first = states_.size() - 1;
  for (; first > 0 && states_.size() - first < kMost; --first) {
    for (const LayerState& layer : states_[first - 1].state.layers)
      if (seen.insert(layer.layer.get()).second) bytes += bytesOf(*layer.layer);
    if (bytes > mostBytes_) break;
  }
  states_.erase(states_.begin(), states_.begin() + std::ptrdiff_t(first));
  at_ -= first;
}

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
  at_ = states_.size() - 1;
  forgetOldest();
  return true;
}

}  // namespace sulcus::ui::model
