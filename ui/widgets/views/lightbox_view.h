#pragma once

#include "ui/model/views/lightbox.h"
#include "ui/widgets/views/plane_view.h"

namespace sulcus::ui::scene {
class LightboxScene;
}

namespace sulcus::ui::widgets {

/// Many slices of one plane over the visible range. A click moves the crosshair to that point of that slice;
/// the wheel moves all of them by one slice.
class LightboxView : public PlaneView {
  Q_OBJECT
 public:
  LightboxView(model::LayerStack& layers, model::ViewState& view, QWidget* parent = nullptr);

  const model::LightboxLook& look() const { return look_; }
  void setLook(const model::LightboxLook& look);
  /// Resets to the initial slices.
  void reset();
  /// The positions of the slices along the normal of their plane, mm.
  std::vector<double> places() const;

 private:
  scene::SliceCamera camera() const override;
  std::optional<Vec3<double>> worldUnder(QPointF position) const override;
  void step(int slices) override;
  void updateScene() override;

  /// The visible slices of a layer, which are computed once.
  struct VisibleSlices {
    std::weak_ptr<const Layer> layer;
    model::Plane plane{};
    model::SliceRange range;
  };

  scene::LightboxScene& scene_;
  model::LightboxLook look_;
  int shift_ = 0;  ///< offset in slices, by the wheel
  mutable VisibleSlices visible_;
};

}  // namespace sulcus::ui::widgets
