#include "ui/model/runs/run_layers.h"

#include "core/image/table_places.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sulcus::ui::model {

bool sameContent(const LayerContent& a, const LayerContent& b) {
  if (a.index() != b.index()) return false;
  if (const auto* volume = std::get_if<VolumeLayer>(&a))
    return volume->series == std::get<VolumeLayer>(b).series;
  if (const auto* labels = std::get_if<LabelsLayer>(&a))
    return labels->labels == std::get<LabelsLayer>(b).labels &&
           labels->names == std::get<LabelsLayer>(b).names;
  if (const auto* peaks = std::get_if<PeaksLayer>(&a)) return peaks->peaks == std::get<PeaksLayer>(b).peaks;
  if (const auto* field = std::get_if<DisplacementLayer>(&a))
    return field->displacement == std::get<DisplacementLayer>(b).displacement;
  if (const auto* mesh = std::get_if<MeshLayer>(&a)) return mesh->mesh == std::get<MeshLayer>(b).mesh;
  if (const auto* lines = std::get_if<TractsLayer>(&a)) {
    const auto& other = std::get<TractsLayer>(b);
    return lines->tracts == other.tracts && lines->bundles == other.bundles;
  }
  return false;  // tables and curves are small
}

namespace {

/// Whether one of the layers that can be drawn requests to be visible.
bool anyAsks(const std::vector<Layer>& layers) {
  return std::ranges::any_of(layers,
                             [](const Layer& layer) { return layer.display.visible && isDrawn(layer); });
}

}  // namespace

void setRanges(std::vector<Layer>& layers) {
  for (Layer& layer : layers)
    if (!layer.display.range) layer.display.range = automaticRangeOf(layer);
}

RunLayers::RunLayers(LayerStack& stack, QString title, Origin origin)
    : stack_(stack), title_(std::move(title)), origin_(origin) {}

QString RunLayers::titled(const std::string& name) const {
  return QStringLiteral("%1 (%2)").arg(QString::fromStdString(name), title_);
}

QString RunLayers::shownName(const std::string& name) const { return layerTitle(titled(name).toStdString()); }

void RunLayers::setTitle(const QString& title) {
  if (title == title_) return;
  const LayerStack::BatchUpdate together(stack_);
  // All at once: a name that one of them gives up becomes available to the others.
  std::vector<const Shown*> named;
  for (const Shown& shown : shown_)
    if (const LayerState* state = stack_.find(shown.id); state && state->name == shownName(shown.name))
      named.push_back(&shown);
  title_ = title;
  for (const Shown* shown : named) stack_.rename(shown->id, shownName(shown->name));
}

void RunLayers::rememberCurrent() {
  if (currentBefore_ == 0) currentBefore_ = stack_.current();
}

void RunLayers::makeRoom(const std::vector<LayerId>& earlier) {
  const LayerStack::BatchUpdate together(stack_);
  rememberCurrent();
  for (const LayerId id : earlier) {
    const LayerState* state = stack_.find(id);
    if (!state || !state->display.visible) continue;
    hidden_.push_back(id);
    stack_.setVisible(id, false);
  }
}

RunLayers::Shown* RunLayers::find(const std::string& name) {
  const auto found =
      std::find_if(shown_.begin(), shown_.end(), [&](const Shown& shown) { return shown.name == name; });
  return found == shown_.end() ? nullptr : &*found;
}

RunLayers::Shown RunLayers::add(Layer layer, bool visible, int place) {
  Shown made{layer.name, 0, layer.display};
  layer.name = titled(layer.name).toStdString();
  layer.display.visible = visible;
  made.id = stack_.add(std::make_shared<const Layer>(std::move(layer)), origin_);
  stack_.rename(made.id, shownName(made.name));
  if (place >= 0) stack_.move(made.id, place);
  return made;
}

void RunLayers::replace(Shown& shown, Layer layer, bool preview) {
  const LayerState* state = stack_.find(shown.id);
  if (!state) return;
  Display display = state->display;
  const Display asked = layer.display;
  // Previews change what the user has not; a result changes what differs from what the run gave before.
  const auto follow = [&](auto member) {
    const bool follows =
        preview ? display.*member == shown.given.*member : asked.*member != shown.given.*member;
    if (follows) display.*member = asked.*member;
  };
  if (preview) follow(&Display::visible);
  // The colors of a surface stay comparable while a slider moves it.
  if (preview || !std::holds_alternative<MeshLayer>(layer.content)) follow(&Display::range);
  follow(&Display::hideBelow);
  follow(&Display::hideAbove);
  const bool isChanged = display != state->display;
  shown.given = asked;
  layer.name = titled(layer.name).toStdString();
  if (!sameContent(layer.content, state->layer->content) || layer.unit != state->layer->unit ||
      layer.notes != state->layer->notes || layer.provenance != state->layer->provenance)
    stack_.replaceContent(shown.id, std::make_shared<const Layer>(std::move(layer)));
  if (isChanged) stack_.setDisplay(shown.id, display);
}

void RunLayers::removeNamed(const std::string& name) {
  const Shown* shown = find(name);
  if (!shown) return;
  const LayerId id = shown->id;
  std::erase_if(shown_, [&](const Shown& one) { return one.name == name; });
  stack_.remove(id);
}

int RunLayers::lowest() const {
  int lowest = -1;
  for (const LayerId id : ids())
    if (const int position = stack_.positionOf(id); lowest < 0 || position < lowest) lowest = position;
  return lowest;
}

void RunLayers::chooseVisible() {
  for (const Shown& shown : shown_)
    if (const LayerState* state = stack_.find(shown.id); state && state->display.visible)
      return stack_.setCurrent(shown.id);
}

std::vector<RunLayers::Shown> RunLayers::othersThan(const std::vector<Layer>& layers) const {
  std::set<std::string> names;
  for (const Layer& layer : layers) names.insert(layer.name);
  std::vector<Shown> others;
  std::ranges::copy_if(shown_, std::back_inserter(others),
                       [&](const Shown& shown) { return !names.contains(shown.name); });
  return others;
}

void RunLayers::show(std::vector<Layer> layers, bool preview) {
  const LayerStack::BatchUpdate together(stack_);
  rememberCurrent();
  std::vector<Shown> kept = othersThan(layers);
  if (!preview || !complete_)
    for (const Shown& gone : std::exchange(kept, {})) removeNamed(gone.name);

  const bool first = shown_.empty(), asked = anyAsks(layers);
  const LayerId current = stack_.current();
  std::vector<Shown> next(layers.size());
  // Layers are added from the bottom up, so that the first one ends up on top. A layer that joins a preview
  // is placed above those after it.
  int above = lowest();
  for (std::size_t i = layers.size(); i-- > 0;) {
    if (Shown* known = find(layers[i].name); known && (preview || stack_.find(known->id))) {
      replace(*known, std::move(layers[i]), !complete_);
      next[i] = *known;
    } else {
      const bool visible = layers[i].display.visible || (i == 0 && !asked);
      next[i] = add(std::move(layers[i]), visible, first ? -1 : above);
    }
    if (const int position = stack_.positionOf(next[i].id); position >= 0) above = position + 1;
  }
  shown_ = std::move(next);
  shown_.insert(shown_.end(), kept.begin(), kept.end());
  complete_ = complete_ || !preview;
  if (first && origin_ != Origin::temporary) return chooseVisible();
  stack_.setCurrent(current);  // what is added does not become the current one
}

void RunLayers::change(std::vector<Layer> layers, const std::vector<std::string>& gone) {
  const LayerStack::BatchUpdate together(stack_);
  for (const std::string& name : gone) removeNamed(name);
  const auto before = ids();
  std::vector<Shown> fresh;
  for (std::size_t i = layers.size(); i-- > 0;) {  // each goes below the first of the run, above the last
    if (Shown* known = find(layers[i].name))
      replace(*known, std::move(layers[i]), false);
    else
      fresh.push_back(
          add(std::move(layers[i]), false, before.empty() ? -1 : stack_.positionOf(before.front())));
  }
  if (fresh.empty()) return;
  shown_.insert(shown_.end(), fresh.rbegin(), fresh.rend());
  stack_.setVisible(fresh.back().id, true);
  stack_.setCurrent(fresh.back().id);
}

void RunLayers::bringBack(const std::map<LayerId, LayerPtr>& contents) {
  const LayerStack::BatchUpdate together(stack_);
  for (Shown& shown : shown_) {
    const auto had = contents.find(shown.id);
    const LayerState* state = stack_.find(shown.id);
    if (had == contents.end() || !state) continue;
    Display display = state->display;
    if (display.range == shown.given.range) display.range = had->second->display.range;
    shown.given.range = had->second->display.range;
    stack_.replaceContent(shown.id, had->second);
    stack_.setDisplay(shown.id, display);
  }
}

void RunLayers::discard() {
  const LayerStack::BatchUpdate together(stack_);
  const std::vector<Shown> all = std::exchange(shown_, {});
  for (const Shown& shown : all) stack_.remove(shown.id);
  for (const LayerId id : std::exchange(hidden_, {})) stack_.setVisible(id, true);
  if (!all.empty() && origin_ != Origin::temporary) stack_.setCurrent(currentBefore_);
  currentBefore_ = 0;
}

void RunLayers::restore(std::vector<Shown> shown, const QString& title) {
  shown_ = std::move(shown);
  title_ = title;
}

std::vector<LayerId> RunLayers::ids() const {
  std::vector<LayerId> ids;
  for (const Shown& shown : shown_)
    if (stack_.find(shown.id)) ids.push_back(shown.id);
  return ids;
}

}  // namespace sulcus::ui::model
