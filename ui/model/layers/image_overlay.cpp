#include "ui/model/layers/image_overlay.h"

#include <algorithm>

namespace sulcus::ui::model {
namespace {

bool isImageLayer(const LayerState& state) {
  return std::holds_alternative<VolumeLayer>(state.layer->content);
}

}  // namespace

ImageOverlay::ImageOverlay(LayerStack& layers, QObject* parent) : QObject(parent), layers_(layers) {
  turns_.setInterval(int(1000 / rate_));
  connect(&turns_, &QTimer::timeout, this, [this] {
    upperTurn_ = !upperTurn_;
    emit changed();
  });
  connect(&layers_, &LayerStack::removed, this, &ImageOverlay::layerGone);
}

std::vector<LayerId> ImageOverlay::candidates() const {
  std::vector<LayerId> ids;
  for (auto state = layers_.layers().rbegin(); state != layers_.layers().rend(); ++state)
    if (isImageLayer(*state)) ids.push_back(state->id);
  return ids;
}

void ImageOverlay::choose() {
  // Anatomy before maps, visible before hidden, upper before lower.
  std::vector<LayerId> ids = candidates();
  const auto rank = [this](LayerId id) {
    const Display& display = layers_.find(id)->display;
    return 2 * int(display.colormap != Display().colormap) + int(!display.visible);
  };
  std::stable_sort(ids.begin(), ids.end(), [&](LayerId a, LayerId b) { return rank(a) < rank(b); });
  std::erase_if(ids, [this](LayerId id) { return id == lower_ || id == upper_; });
  auto next = ids.begin();
  for (LayerId* place : {&upper_, &lower_})
    if (*place == 0 && next != ids.end()) *place = *next++;
}

void ImageOverlay::setMode(Mode mode) {
  if (mode != Mode::off) choose();
  if (lower_ == 0 || upper_ == 0) mode = Mode::off;
  if (mode == mode_) return;
  mode_ = mode;
  upperTurn_ = true;
  mode_ == Mode::blink ? turns_.start() : turns_.stop();
  emit changed();
}

void ImageOverlay::setLower(LayerId id) {
  if (id == lower_ || !layers_.find(id)) return;
  if (id == upper_) upper_ = lower_;
  lower_ = id;
  emit changed();
}

void ImageOverlay::setUpper(LayerId id) {
  if (id == upper_ || !layers_.find(id)) return;
  if (id == lower_) lower_ = upper_;
  upper_ = id;
  emit changed();
}

void ImageOverlay::suggest(LayerId lower, LayerId upper) {
  if (mode_ != Mode::off || lower == upper || !layers_.find(lower) || !layers_.find(upper)) return;
  lower_ = lower;
  upper_ = upper;
}

void ImageOverlay::setShare(double share) {
  share = std::clamp(share, 0.0, 1.0);
  if (share == share_) return;
  share_ = share;
  emit changed();
}

void ImageOverlay::setTile(double millimeters) {
  millimeters = std::clamp(millimeters, 1.0, 500.0);
  if (millimeters == tile_) return;
  tile_ = millimeters;
  emit changed();
}

void ImageOverlay::setRate(double turnsPerSecond) {
  turnsPerSecond = std::clamp(turnsPerSecond, 0.5, 5.0);
  if (turnsPerSecond == rate_) return;
  rate_ = turnsPerSecond;
  turns_.setInterval(int(1000 / rate_));
  emit changed();
}

void ImageOverlay::layerGone(LayerId id) {
  if (id != lower_ && id != upper_) return;
  (id == lower_ ? lower_ : upper_) = 0;
  if (mode_ == Mode::off) return;
  setMode(Mode::off);
}

QString ImageOverlay::caption() const {
  const LayerState *below = layers_.find(lower_), *above = layers_.find(upper_);
  if (mode_ == Mode::off || !below || !above) return {};
  switch (mode_) {
    case Mode::blink:
      return (upperTurn_ ? above : below)->name;
    case Mode::blend: {
      const int percent = int(100 * share_ + 0.5);
      return tr("%1 %2\u00a0%, %3 %4\u00a0%")
          .arg(below->name)
          .arg(100 - percent)
          .arg(above->name)
          .arg(percent);
    }
    default:
      return tr("%1 | %2").arg(below->name, above->name);
  }
}

QString ImageOverlay::captionIn3d() const {
  const LayerState* above = layers_.find(upper_);
  return mode_ == Mode::wipe && above ? above->name : caption();
}

}  // namespace sulcus::ui::model
