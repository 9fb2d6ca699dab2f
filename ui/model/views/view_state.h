#pragma once

#include "core/image/grids/slice_turn.h"

#include <QObject>

namespace sulcus::ui::model {

enum class Plane { axial, coronal, sagittal };
/// The axis perpendicular to a plane: 2 axial, 1 coronal, 0 sagittal.
constexpr int axisAcross(Plane plane) { return 2 - int(plane); }
/// The right mouse button in a slice: as in mrview and FSLeyes, or as in ITK-SNAP and 3D Slicer.
enum class MouseScheme { windowLevel, zoom };

/// The position shared by all linked views. Lives on the UI thread; every setter signals only an actual
/// change.
class ViewState : public QObject {
  Q_OBJECT
 public:
  explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

  /// Scanner position of the crosshair, mm RAS+.
  Vec3<double> crosshair() const { return crosshair_; }
  void setCrosshair(Vec3<double> world);
  /// Moves the crosshair there, and also the views if the position is outside of what they show.
  void lookAt(Vec3<double> world);

  /// The rotation of the slice planes about the crosshair.
  const SliceTurn& turn() const { return turn_; }
  void setTurn(const SliceTurn& turn);
  /// The unit normal of a plane, towards the patient's right, front or top.
  const Vec3<double>& normalOf(Plane plane) const { return turn_.axes[std::size_t(axisAcross(plane))]; }

  /// Center of the slice views, mm RAS+, and how many mm fit the shorter side of a view.
  Vec3<double> center() const { return center_; }
  double extent() const { return extent_; }
  void setCenter(Vec3<double> world);
  void setExtent(double millimeters);

  /// Radiological: the patient's right is on the left of the screen.
  bool radiological() const { return radiological_; }
  void setRadiological(bool on);
  bool crosshairVisible() const { return crosshairVisible_; }
  void setCrosshairVisible(bool on);
  bool lettersVisible() const { return lettersVisible_; }
  void setLettersVisible(bool on);
  bool scaleBarVisible() const { return scaleBarVisible_; }
  void setScaleBarVisible(bool on);
  /// The plane that is shown alone, axial if all are shown.
  Plane plane() const { return plane_; }
  void setPlane(Plane plane) { plane_ = plane; }
  MouseScheme mouseScheme() const { return mouseScheme_; }
  void setMouseScheme(MouseScheme scheme);

 signals:
  void crosshairChanged();
  void turned();             ///< the slice planes
  void framingChanged();     ///< center or extent
  void decorationChanged();  ///< convention, crosshair, letters or scale bar switched on or off

 private:
  Vec3<double> crosshair_, center_;
  SliceTurn turn_;
  double extent_ = 200;
  bool radiological_ = true, crosshairVisible_ = true, lettersVisible_ = true, scaleBarVisible_ = true;
  Plane plane_ = Plane::axial;
  MouseScheme mouseScheme_ = MouseScheme::windowLevel;
};

}  // namespace sulcus::ui::model
