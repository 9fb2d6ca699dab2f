#include "ui/widgets/panels/result_chooser.h"

#include "core/analysis/plain_names.h"
#include "core/image/table_places.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <algorithm>

namespace sulcus::ui::widgets {

ResultChooser::ResultChooser(model::LayerStack& layers, QWidget* parent) : QWidget(parent), layers_(layers) {
  auto* row = padded<QHBoxLayout>(this, {8, 2, 8, 4}, 4);
  const auto box = [&](const char* name, const QString& says) {
    ElidedComboBox* made = nameBox(name, says, {}, 8);
    row->addWidget(made, 1);
    return made;
  };
  effect_ = box("resultEffect", tr("Effect or contrast of the result"));
  quantity_ = box("resultQuantity", tr("Quantity of the result"));
  connect(effect_, &QComboBox::activated, this, &ResultChooser::effectChosen);
  connect(quantity_, &QComboBox::activated, this, &ResultChooser::quantityChosen);
  hide();
}

void ResultChooser::offer(const std::vector<model::LayerId>& ids, model::LayerId chosen) {
  parts_.clear();
  for (const model::LayerId id : ids) {
    const model::LayerState* state = layers_.find(id);
    if (!state) continue;
    const NameParts parts = nameParts(state->layer->name);
    parts_.push_back({id, QString::fromStdString(parts.effect), model::words(parts.quantity)});
  }
  chosen_ = chosen;
  setVisible(parts_.size() > 1);
  fill();
}

const ResultChooser::Part* ResultChooser::partOf(model::LayerId id) const {
  const auto found = std::ranges::find(parts_, id, &Part::id);
  return found == parts_.end() ? nullptr : &*found;
}

void ResultChooser::fill() {
  const Part* chosen = partOf(chosen_);
  const QSignalBlocker quietEffect(effect_), quietQuantity(quantity_);
  ElidedComboBox::Items effects, quantities;
  bool ofWhole = false;
  for (const Part& part : parts_) {
    const bool known =
        std::ranges::any_of(effects, [&](const auto& item) { return item.first == part.effect; });
    if (part.effect.isEmpty())
      ofWhole = true;
    else if (!known)
      effects.emplace_back(part.effect, part.effect);
    if (chosen && part.effect == chosen->effect) quantities.emplace_back(part.quantity, part.id);
  }
  effect_->setVisible(!effects.empty());
  if (ofWhole) effects.emplace_back(tr("whole model"), QString());
  effect_->setItems(effects);
  quantity_->setItems(quantities);
  if (!chosen) return;
  effect_->setCurrentIndex(effect_->findData(chosen->effect));
  quantity_->setCurrentIndex(quantity_->findData(chosen->id));
}

void ResultChooser::effectChosen() {
  const QString effect = effect_->currentData().toString();
  const Part* before = partOf(chosen_);
  const Part* wanted = nullptr;
  for (const Part& part : parts_) {
    if (part.effect != effect) continue;
    if (!wanted || (before && part.quantity == before->quantity)) wanted = &part;
  }
  if (wanted) show(wanted->id);
}

void ResultChooser::quantityChosen() { show(quantity_->currentData().toInt()); }

void ResultChooser::show(model::LayerId id) {
  const model::LayerState* state = layers_.find(id);
  if (!state || id == chosen_) return;
  const model::LayerStack::BatchUpdate together(layers_);
  const model::LayerId before = chosen_;
  chosen_ = id;
  if (isDrawn(*state->layer)) {
    layers_.setVisible(before, false);
    layers_.setVisible(id, true);
  }
  layers_.setCurrent(id);
}

}  // namespace sulcus::ui::widgets
