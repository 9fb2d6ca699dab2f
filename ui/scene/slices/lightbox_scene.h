#pragma once

#include "ui/scene/slices/slice_scene.h"

#include <memory>
#include <optional>
#include <vector>

class vtkRenderWindow;

namespace sulcus::ui::scene {

/// Many parallel slices in one window, from the top left in reading order, and color bars below them.
/// Everything happens on the UI thread.
class LightboxScene {
 public:
  explicit LightboxScene(vtkRenderWindow* window);
  ~LightboxScene();

  /// The layers to be drawn in every tile, bottom to top.
  void setLayers(const std::vector<SceneLayer>& layers);
  void setGlyphStyle(const GlyphStyle& style);
  void setFieldStyle(const FieldStyle& style);
  /// How each tile looks but for its plane: `places` are those of the planes along the normal, mm, as many as
  /// are shown of columns × rows tiles.
  void look(const SliceLook& look, const std::vector<double>& places, int columns, int rows);
  void render();

  /// Which tile has this pixel, counted from the lower left corner of the window; nothing where none is.
  std::optional<int> tileAt(double x, double y) const;
  /// The place in the scanner under a pixel of the window, in the plane of its tile; none beside the tiles.
  std::optional<Vec3<double>> worldAt(double x, double y) const;
  /// What the sign of a warning at a pixel of the window stands for; "": there is none.
  std::string warningAt(double x, double y) const;
  /// The camera of the first tile, which is that of the others but for its plane.
  SliceCamera camera() const;

 private:
  struct Box {
    int left, bottom, right, top;  ///< pixels
  };
  Box boxOf(int tile) const;
  /// Pixels of the window's height that color bars take.
  int barHeight() const;
  void updateBars();

  vtkRenderWindow* window_;
  std::vector<std::unique_ptr<SliceScene>> tiles_;  ///< columns × rows; those without a place draw nothing
  vtkSmartPointer<vtkRenderer> margin_;             ///< for the color bars
  std::map<int, std::unique_ptr<ColorBar>> bars_;
  std::vector<SceneLayer> layers_;
  GlyphStyle glyphStyle_;
  FieldStyle fieldStyle_;
  std::size_t shown_ = 0;  ///< tiles with a place
  int columns_ = 1, rows_ = 1;
};

}  // namespace sulcus::ui::scene
