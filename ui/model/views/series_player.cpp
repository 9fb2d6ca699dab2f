#include "ui/model/views/series_player.h"

#include <algorithm>

namespace sulcus::ui::model {

SeriesPlayer::SeriesPlayer(LayerStack& layers, QObject* parent) : QObject(parent), layers_(layers) {
  timer_.setInterval(int(1000 / rate_));
  connect(&timer_, &QTimer::timeout, this, [this] {
    const LayerState* state = layers_.find(played_);
    if (!state || volumes() < 2) return setPlaying(false);
    layers_.setVolume(played_, (state->volume + 1) % volumes());
  });
  connect(&layers_, &LayerStack::currentChanged, this, [this] { setPlaying(false); });
}

int SeriesPlayer::volumes() const {
  const LayerState* state = layers_.find(layers_.current());
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  return volume && !volume->colors ? volume->series->count : 0;
}

bool SeriesPlayer::canPlay() const { return volumes() > 1; }

void SeriesPlayer::setPlaying(bool on) {
  on = on && canPlay();
  if (on == isPlaying()) return;
  played_ = layers_.current();
  on ? timer_.start() : timer_.stop();
  emit changed();
}

void SeriesPlayer::step(int by) {
  const LayerState* state = layers_.find(layers_.current());
  if (state && canPlay()) layers_.setVolume(state->id, std::clamp(state->volume + by, 0, volumes() - 1));
}

void SeriesPlayer::setRate(double perSecond) {
  perSecond = std::clamp(perSecond, 0.5, 30.0);
  if (perSecond == rate_) return;
  rate_ = perSecond;
  timer_.setInterval(int(1000 / rate_));
  emit changed();
}

}  // namespace sulcus::ui::model
