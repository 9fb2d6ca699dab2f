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

std::vector<LeftOutVolumes::Place> LeftOutVolumes::placesOf(LayerId id) const {
  std::vector<Place> places;
  for (const auto& presenter : presenters_) {
    if (!presenter->options().values().contains(kDropVolumes)) continue;
    Place place{presenter.get(), -1, 0};
    for (const LayerId other : presenter->inputs().of(presenter->analysis().inputs.front().name)) {
      if (other == id) place.first = place.all;
      place.all += volumesOf(layers_.find(other));
    }
    if (place.first >= 0 && place.all > 1) places.push_back(place);
  }
  return places;
}

bool LeftOutVolumes::canLeaveOut(LayerId id) const { return !placesOf(id).empty(); }

std::set<int> LeftOutVolumes::of(LayerId id) const {
  const int count = volumesOf(layers_.find(id));
  std::set<int> volumes;
  for (const Place& place : placesOf(id)) try {
      for (const int number : droppedVolumes(listOf(*place.presenter), place.all))
        if (number >= place.first && number < place.first + count) volumes.insert(number - place.first);
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
  for (const Place& place : placesOf(id)) try {
      auto dropped = droppedVolumes(listOf(*place.presenter), place.all);
      if (leaveOut)
        dropped.insert(place.first + volume);
      else
        dropped.erase(place.first + volume);
      std::vector<std::string> numbers;
      for (const int number : dropped) numbers.push_back(std::to_string(number));
      place.presenter->options().set(kDropVolumes, joined(numbers, ","));
    } catch (const Error& fault) {
      emit failed(tr("Exclude this volume"), localizeForWindow(place.presenter->analysis(), fault.what()));
    }
}

}  // namespace sulcus::ui::model
