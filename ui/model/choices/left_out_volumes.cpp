#include "ui/model/choices/left_out_volumes.h"

#include "core/base/number_list.h"
#include "core/base/sentence.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <string>

namespace sulcus::ui::model {
namespace {

const std::string kDropVolumes = "drop-volumes";

int volumesOf(const LayerState* state) {
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  return volume ? volume->series->count : 0;
}

const std::string& listOf(const AnalysisPresenter& presenter) {
  return std::get<std::string>(presenter.options().values().at(kDropVolumes));
}

}  // namespace

LeftOutVolumes::LeftOutVolumes(const LayerStack& layers,
                               const std::vector<std::unique_ptr<AnalysisPresenter>>& presenters)
    : layers_(layers), presenters_(presenters) {
  for (const auto& presenter : presenters_) {
    if (!presenter->options().values().contains(kDropVolumes)) continue;
    connect(&presenter->inputs(), &InputChoice::changed, this, &LeftOutVolumes::changed);
    connect(&presenter->options(), &OptionChoice::changed, this, &LeftOutVolumes::changed);
  }
}

std::vector<LeftOutVolumes::SlotVolumes> LeftOutVolumes::slotsWith(LayerId id) const {
  std::vector<SlotVolumes> slotList;
  for (const auto& presenter : presenters_) {
    if (!presenter->options().values().contains(kDropVolumes)) continue;
    SlotVolumes slot{presenter.get(), -1, 0};
    for (const LayerId other : presenter->inputs().of(presenter->analysis().inputs.front().name)) {
      if (other == id) slot.first = slot.all;
      slot.all += volumesOf(layers_.find(other));
    }
    if (slot.first >= 0 && slot.all > 1) slotList.push_back(slot);
  }
  return slotList;
}

bool LeftOutVolumes::canLeaveOut(LayerId id) const { return !slotsWith(id).empty(); }

std::set<int> LeftOutVolumes::of(LayerId id) const {
  const int count = volumesOf(layers_.find(id));
  std::set<int> volumes;
  for (const SlotVolumes& slot : slotsWith(id)) try {
      for (const int number : droppedVolumes(listOf(*slot.presenter), slot.all))
        if (number >= slot.first && number < slot.first + count) volumes.insert(number - slot.first);
    } catch (const Error&) {
      continue;  // the form reports it
    }
  return volumes;
}

void LeftOutVolumes::toggle(LayerId id) {
  const LayerState* state = layers_.find(id);
  if (!state) return;
  const int volume = state->volume;
  const bool leaveOut = !of(id).contains(volume);
  for (const SlotVolumes& slot : slotsWith(id)) try {
      auto dropped = droppedVolumes(listOf(*slot.presenter), slot.all);
      if (leaveOut)
        dropped.insert(slot.first + volume);
      else
        dropped.erase(slot.first + volume);
      std::vector<std::string> numbers;
      for (const int number : dropped) numbers.push_back(std::to_string(number));
      slot.presenter->options().set(kDropVolumes, joined(numbers, ","));
    } catch (const Error& fault) {
      emit failed(tr("Exclude this volume"), localizeForWindow(slot.presenter->analysis(), fault.message()));
    }
}

}  // namespace sulcus::ui::model
