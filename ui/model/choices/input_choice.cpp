#include "ui/model/choices/input_choice.h"

#include "ui/model/text/localize.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Whether a slot accepts a layer; no slot accepts null.
bool fits(const InputSlot& slot, const LayerState* state) {
  return state && state->origin != Origin::temporary && (!slot.accepts || slot.accepts(*state->layer));
}

/// Whether only one of two slots may be filled.
bool excludeEachOther(const InputSlot& a, const InputSlot& b) {
  return !a.oneOf.empty() && a.oneOf == b.oneOf && a.name != b.name;
}

}  // namespace

InputChoice::InputChoice(const Analysis& analysis, const OptionChoice& options, LayerStack& layers)
    : analysis_(analysis), options_(options), layers_(layers) {
  connect(&layers_, &LayerStack::added, this, &InputChoice::layerAdded);
  connect(&layers_, &LayerStack::removed, this, &InputChoice::updateLayer);
  connect(&layers_, &LayerStack::contentChanged, this, &InputChoice::layerChanged);
  connect(&layers_, &LayerStack::reordered, this, [this] { offerDiffers_ = true; });
  connect(&layers_, &LayerStack::changed, this, [this] {
    if (std::exchange(offerDiffers_, false)) emit changed();
  });
  for (const auto& layer : layers_.layers()) layerAdded(layer.id);
}

const InputSlot* InputChoice::slotNamed(const std::string& name) const {
  const auto slot = std::ranges::find(analysis_.inputs, name, &InputSlot::name);
  return slot == analysis_.inputs.end() ? nullptr : &*slot;
}

std::vector<LayerId> InputChoice::fitting(const InputSlot& slot) const {
  const auto number = std::size_t(slotNamed(slot.name) - analysis_.inputs.data());
  std::vector<LayerId> ids;
  const auto& all = layers_.layers();
  for (auto layer = all.rbegin(); layer != all.rend(); ++layer)
    if (const auto known = accepted_.find(layer->id); known != accepted_.end() && known->second[number])
      ids.push_back(layer->id);
  return ids;
}

LayerId InputChoice::first(const std::string& slot) const {
  const auto found = chosen_.lower_bound(slot);
  return found == chosen_.end() || found->first != slot ? 0 : found->second;
}

std::vector<LayerId> InputChoice::of(const std::string& slot) const {
  std::vector<LayerId> ids;
  const auto [begin, end] = chosen_.equal_range(slot);
  for (auto chosen = begin; chosen != end; ++chosen) ids.push_back(chosen->second);
  return ids;
}

AnalysisInputs InputChoice::contents() const {
  AnalysisInputs inputs;
  for (const auto& [slot, id] : chosen_)
    if (const LayerState* state = layers_.find(id)) inputs.emplace(slot, state->layer);
  return inputs;
}

const LayerState* InputChoice::scan() const {
  for (const InputSlot& slot : analysis_.inputs)
    if (const LayerState* state = layers_.find(first(slot.name))) return state;
  return nullptr;
}

void InputChoice::choose(const std::string& slotName, LayerId id) {
  const InputSlot* slot = slotNamed(slotName);
  if (!slot || (id != 0 && !fits(*slot, layers_.find(id)))) return;
  choose(slotName, id == 0 ? std::vector<LayerId>{} : std::vector{id});
}

void InputChoice::choose(const std::string& slotName, const std::vector<LayerId>& ids) {
  const InputSlot* slot = slotNamed(slotName);
  if (!slot) return;
  std::vector<LayerId> taken;
  for (const LayerId id : ids) {
    const bool known = std::find(taken.begin(), taken.end(), id) != taken.end();
    if (fits(*slot, layers_.find(id)) && !known) taken.push_back(id);
  }
  if (!slot->many && taken.size() > 1) taken.erase(taken.begin() + 1, taken.end());
  automatic_.erase(slotName);
  emptied_.erase(slotName);
  if (taken.empty()) emptied_.insert(slotName);
  if (taken == of(slotName)) return;
  chosen_.erase(slotName);
  for (const InputSlot& other : analysis_.inputs)
    if (!taken.empty() && excludeEachOther(*slot, other)) chosen_.erase(other.name);
  for (const LayerId id : taken) chosen_.emplace(slotName, id);
  emit contentChanged();
  emit changed();
}

void InputChoice::add(const std::string& slotName, LayerId id) {
  const InputSlot* slot = slotNamed(slotName);
  if (!slot || !slot->many) return choose(slotName, id);
  std::vector<LayerId> ids = of(slotName);
  ids.push_back(id);
  choose(slotName, ids);
}

bool InputChoice::replaceAutomatic(LayerId id) {
  for (const InputSlot& slot : analysis_.inputs) {
    if (!automatic_.contains(slot.name) || !fits(slot, layers_.find(id))) continue;
    choose(slot.name, id);
    automatic_.insert(slot.name);
    return true;
  }
  return false;
}

bool InputChoice::isAutomatic() const {
  return std::ranges::all_of(chosen_,
                             [this](const auto& chosen) { return automatic_.contains(chosen.first); });
}

void InputChoice::restore(const std::multimap<std::string, LayerId>& ids,
                          const std::set<std::string>& automatic) {
  chosen_ = ids;
  std::erase_if(chosen_, [this](const auto& chosen) {
    const InputSlot* slot = slotNamed(chosen.first);
    return !slot || !fits(*slot, layers_.find(chosen.second));
  });
  automatic_ = automatic;
}

bool InputChoice::isUsed(const InputSlot& slot) const {
  const auto option = std::ranges::find(analysis_.options, slot.usedWith, &OptionInfo::name);
  if (option == analysis_.options.end()) return true;
  const OptionValue& value = options_.values().at(option->name);
  return value != (option->choices.empty() ? OptionValue(false) : OptionValue(option->choices.front()));
}

void InputChoice::followOptions() {
  const auto before = chosen_;
  std::erase_if(chosen_, [this](const auto& chosen) {
    return automatic_.contains(chosen.first) && !isUsed(*slotNamed(chosen.first));
  });
  for (const LayerState& state : layers_.layers())
    takeAutomatically(state.id, [](const InputSlot& slot) { return !slot.usedWith.empty(); });
  if (chosen_ != before) emit changed();
}

QString InputChoice::missing() const {
  for (const auto& slot : analysis_.inputs)
    if (slot.required && first(slot.name) == 0) return tr("Choose “%1” first.").arg(words(slot.label));
  for (const auto& slot : analysis_.inputs)
    if (!slot.oneOf.empty() && first(slot.name) == 0 && !hasAlternative(slot))
      return tr("Choose %1 first.").arg(labelsOf(slot.oneOf));
  if (chosen_.empty() && !analysis_.inputs.empty()) return tr("Choose what to work on first.");
  return {};
}

QString InputChoice::labelsOf(const std::string& oneOf) const {
  QStringList labels;
  for (const auto& slot : analysis_.inputs)
    if (slot.oneOf == oneOf) labels << QStringLiteral("“%1”").arg(words(slot.label));
  const QString last = labels.takeLast();
  return labels.isEmpty() ? last : tr("%1 or %2").arg(labels.join(QStringLiteral(", ")), last);
}

void InputChoice::layerAdded(LayerId id) {
  accepted_[id] = acceptedBy(id);
  // Required slots take the first layer that fits, each a different one, and so do suggested slots while none
  // of their alternatives is chosen. No layer replaces a choice.
  const bool taken = takeAutomatically(id, [](const InputSlot&) { return true; });
  // To a scan an earlier layer may belong: its mask, its field map.
  const auto& all = layers_.layers();
  for (auto other = all.rbegin(); taken && other != all.rend(); ++other)
    takeAutomatically(other->id,
                      [](const InputSlot& slot) { return !slot.onGridOf.empty() || slot.belongsTo; });
  offerDiffers_ = true;
  // Results bring many layers that are no inputs: advice is not requested for each.
  if (taken) emit contentChanged();
}

bool InputChoice::isChosen(LayerId id) const {
  return std::ranges::any_of(chosen_, [id](const auto& choice) { return choice.second == id; });
}

bool InputChoice::takeAutomatically(LayerId id, const SlotFilter& into) {
  const LayerState& state = *layers_.find(id);
  if (state.origin != Origin::given || isChosen(id)) return false;
  for (std::size_t i = 0; i < analysis_.inputs.size(); ++i) {
    const InputSlot& slot = analysis_.inputs[i];
    if (!into(slot) || !accepted_[id][i] || !takesAutomatically(slot, *state.layer)) continue;
    chosen_.emplace(slot.name, id);
    automatic_.insert(slot.name);
    return true;
  }
  return false;
}

bool InputChoice::takesAutomatically(const InputSlot& slot, const Layer& layer) const {
  const auto isOnGridOf = [&](LayerId id) {
    const LayerState* other = layers_.find(id);
    const Grid *grid = other ? gridOf(*other->layer) : nullptr, *own = gridOf(layer);
    return grid && own && sameGrid(*grid, *own);
  };
  if (const LayerId present = first(slot.name)) {
    const bool takesAll = slot.many && (slot.suggested || slot.belongsTo) && automatic_.contains(slot.name);
    if (!takesAll || (!slot.onAnyGrid && !isOnGridOf(present))) return false;
  }
  if (!isUsed(slot) || (slot.unasked && !slot.unasked(layer))) return false;
  if (!slot.onGridOf.empty() && !isOnGridOf(first(slot.onGridOf))) return false;
  if (slot.required) return true;
  if (emptied_.contains(slot.name)) return false;
  return (slot.suggested && !hasAlternative(slot)) || belongsToChosen(slot, layer);
}

bool InputChoice::belongsToChosen(const InputSlot& slot, const Layer& layer) const {
  return slot.belongsTo && std::any_of(chosen_.begin(), chosen_.end(), [&](const auto& choice) {
           const LayerState* other = layers_.find(choice.second);
           return choice.first != slot.name && other && slot.belongsTo(layer, *other->layer);
         });
}

bool InputChoice::hasAlternative(const InputSlot& slot) const {
  return std::ranges::any_of(analysis_.inputs, [&](const InputSlot& other) {
    return excludeEachOther(slot, other) && first(other.name) != 0;
  });
}

std::vector<bool> InputChoice::acceptedBy(LayerId id) const {
  const LayerState* state = layers_.find(id);
  std::vector<bool> accepted;
  for (const InputSlot& slot : analysis_.inputs) accepted.push_back(fits(slot, state));
  return accepted;
}

void InputChoice::layerChanged(LayerId id) {
  // Others do not matter, e.g. a preview, which comes several times per second.
  if (isChosen(id) || acceptedBy(id) != accepted_[id]) updateLayer(id);
}

void InputChoice::updateLayer(LayerId id) {
  const auto accepted = accepted_[id] = acceptedBy(id);
  if (!layers_.find(id)) accepted_.erase(id);
  if (layers_.empty()) emptied_.clear();  // whatever comes next is a new start
  const bool wasChosen = isChosen(id);
  std::erase_if(chosen_, [&](const auto& chosen) {
    return chosen.second == id && !accepted[std::size_t(slotNamed(chosen.first) - analysis_.inputs.data())];
  });
  offerDiffers_ = true;
  if (wasChosen) emit contentChanged();
}

}  // namespace sulcus::ui::model
