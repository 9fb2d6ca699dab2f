#include "ui/model/views/view_state.h"

#include <cmath>

namespace sulcus::ui::model {

void ViewState::setCrosshair(Vec3<double> world) {
  if (world == crosshair_) return;
  crosshair_ = world;
  emit crosshairChanged();
}

void ViewState::lookAt(Vec3<double> world) {
  for (const Vec3<double>& axis : turn_.axes)
    if (std::abs(dot(axis, world - center_)) > extent_ / 2) {
      setCenter(world);
      break;
    }
  setCrosshair(world);
}

void ViewState::setTurn(const SliceTurn& turn) {
  if (turn == turn_) return;
  turn_ = turn;
  emit turned();
}

void ViewState::setCenter(Vec3<double> world) {
  if (world == center_) return;
  center_ = world;
  emit framingChanged();
}

void ViewState::setExtent(double millimeters) {
  if (millimeters == extent_ || !(millimeters > 0)) return;
  extent_ = millimeters;
  emit framingChanged();
}

void ViewState::setRadiological(bool on) {
  if (on == radiological_) return;
  radiological_ = on;
  emit decorationChanged();
}

void ViewState::setCrosshairVisible(bool on) {
  if (on == crosshairVisible_) return;
  crosshairVisible_ = on;
  emit decorationChanged();
}

void ViewState::setLettersVisible(bool on) {
  if (on == lettersVisible_) return;
  lettersVisible_ = on;
  emit decorationChanged();
}

void ViewState::setScaleBarVisible(bool on) {
  if (on == scaleBarVisible_) return;
  scaleBarVisible_ = on;
  emit decorationChanged();
}

void ViewState::setMouseScheme(MouseScheme scheme) {
  if (scheme == mouseScheme_) return;
  mouseScheme_ = scheme;
  emit decorationChanged();
}

}  // namespace sulcus::ui::model
