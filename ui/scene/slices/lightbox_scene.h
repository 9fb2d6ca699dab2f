#pragma once

#include "ui/scene/slices/slice_scene.h"

#include <memory>
#include <optional>
#include <vector>

class vtkRenderWindow;

namespace sulcus::ui::scene {

/// Many parallel slices in one window, in reading order from the top left, with color bars below them. UI
/// thread only.
class LightboxScene : public Scene {
 public:
  explicit LightboxScene(vtkRenderWindow* window);
  ~LightboxScene() override;

  /// The layers to draw in every tile, bottom to top.
  void setLayers(std::vector<SceneLayer> layers) override;
  void setStyles(const Styles& styles) override;
  /// The look of each tile except for its plane: `places` are the positions of the planes along the normal,
  /// mm, for the tiles in use among columns × rows.
  void look(const SliceLook& look, const std::vector<double>& places, int columns, int rows);
  bool render() override;

  /// The tile at this pixel, counted from the lower left corner of the window; none outside the tiles.
  std::optional<int> tileAt(double x, double y) const;
  /// The scanner position at a pixel of the window, in the plane of its tile; none outside the tiles.
  std::optional<Vec3<double>> worldAt(double x, double y) const;
  std::string warningAt(double x, double y) const override;
  /// The camera of the first tile, which differs from the others only in its plane.
  SliceCamera camera() const;

 private:
  struct Box {
    int left, bottom, right, top;  ///< pixels
  };
  Box boxOf(int tile) const;
  /// Height in pixels of the window taken by color bars.
  int barHeight() const;
  void updateBars();

  vtkRenderWindow* window_;
  std::vector<std::unique_ptr<SliceScene>> tiles_;  ///< columns × rows; those without a position draw nothing
  vtkSmartPointer<vtkRenderer> margin_;             ///< for the color bars
  ColorBars bars_;
  std::vector<SceneLayer> layers_;
  Styles styles_;
  std::size_t shown_ = 0;  ///< tiles with a position
  int columns_ = 1, rows_ = 1;
};

}  // namespace sulcus::ui::scene
