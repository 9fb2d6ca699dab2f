#pragma once

#include "ui/scene/common/annotations.h"
#include "ui/scene/common/color_bars.h"
#include "ui/scene/common/frame_budget.h"
#include "ui/scene/common/legend.h"
#include "ui/scene/common/scale_bar.h"
#include "ui/scene/common/screen_images.h"
#include "ui/scene/glyphs/field_actor.h"
#include "ui/scene/glyphs/glyph_actor.h"
#include "ui/scene/scene.h"
#include "ui/scene/slices/landmark_marks.h"
#include "ui/scene/slices/plane_image.h"
#include "ui/scene/slices/slice_camera.h"
#include "ui/scene/tracts/region_marks.h"
#include "ui/scene/tracts/tract_actor.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

class vtkRenderWindow;
class vtkRenderer;

namespace sulcus::ui::scene {

class MeshOutline;

/// What a slice view shows.
struct SliceLook {
  int normal = 2;  ///< of the rotated planes: 2 axial, 1 coronal, 0 sagittal
  SliceTurn turn{};
  bool radiological = true;
  Vec3<double> crosshair{};  ///< mm RAS+; the plane passes through it
  Vec3<double> center{};     ///< middle of the view, mm
  double extent = 200;       ///< mm along the shorter side
  bool crosshairVisible = true, lettersVisible = true;
  std::string title{}, caption{};  ///< at the top; at the bottom
  bool scaleBar = false;
  std::optional<double> edge{};  ///< between two images, as a fraction of the width
  bool sides = true;             ///< the orientation letters: once in a lightbox
  bool keys = true;              ///< convention, legend, warnings and scale bar: once in a lightbox
  bool bars = true;              ///< color bars; a lightbox has its own
  bool still = false;            ///< for a picture: all glyphs, at the highest resolution
  bool rest = false;             ///< no motion: all glyphs that about a second can draw, as fine as possible
};

/// One plane of the layers in scanner space. Images are stacked bottom to top; glyphs, fields and outlines of
/// surfaces are above them, then letters, crosshair and color bars. UI thread only.
class SliceScene : public Scene {
 public:
  explicit SliceScene(vtkRenderWindow* window);
  ~SliceScene() override;

  /// The part of the window to draw in: left, bottom, right, top as fractions of it. Initially all of it.
  void setViewport(const std::array<double, 4>& viewport);

  void setLayers(std::vector<SceneLayer> layers) override;
  void setStyles(const Styles& styles) override;
  void look(const SliceLook& look) {
    look_ = look;
    budget_.setStill(look.still);
  }
  /// Updates everything for the size of the window, without rendering.
  void update();
  bool render() override;

  /// The colors of a layer with a color bar, by its id; null before it was drawn.
  LayerColors* colorsOf(int layer) const;
  void showAllGlyphs() override { budget_.reset(); }

  /// The camera for the current look and size of the window.
  SliceCamera camera() const;
  std::string warningAt(double x, double y) const override { return annotations_.warningAt(x, y); }
  bool leavesOut() const override;
  /// What is left out, e.g. "showing 1 in 4 glyphs", or "".
  std::string glyphNote() const;

 private:
  void dropStale();
  void makeInOrder();
  void placeCamera(const SliceCamera& slice);
  void updateImages(const SliceCamera& camera);
  void updateFields(const SliceCamera& camera);
  void updateGlyphs(const SliceCamera& camera);
  struct GlyphRegion;
  /// Returns whether they had to be built. `lobesAtRest`: the number of lobes of all layers.
  bool showGlyphs(const SceneLayer& layer, const GlyphRegion& region, std::int64_t lobesAtRest);
  void updateTracts(const SliceCamera& camera);
  void updateLandmarks(const SliceCamera& camera);
  void updateAnnotations(const SliceCamera& camera);
  void updateTexts(const SliceCamera& camera);
  void updateMarks(const SliceCamera& camera);  ///< everything drawn over the images
  /// What is visible: everything except images that are entirely below others.
  std::vector<SceneLayer> seenLayers() const;

  vtkSmartPointer<vtkRenderWindow> window_;
  vtkSmartPointer<vtkRenderer> images_, overlay_;
  vtkSmartPointer<ScreenImages> pixels_;  ///< of planeImages_
  std::vector<SceneLayer> layers_;
  std::map<int, std::unique_ptr<PlaneImage>> planeImages_;
  std::set<int> covered_;  ///< layers whose images are entirely below others
  std::map<int, std::unique_ptr<GlyphActor>> glyphs_;
  std::map<int, std::unique_ptr<FieldActor>> fields_;
  std::map<int, std::unique_ptr<MeshOutline>> outlines_;
  std::map<int, std::unique_ptr<TractActor>> tracts_;
  RegionMarks regions_;  ///< for selecting lines
  std::map<int, std::unique_ptr<LandmarkMarks>> landmarks_;
  std::vector<int> made_;  ///< the layers of these, in order
  ColorBars bars_;
  Annotations annotations_;
  ScaleBar scaleBar_;
  Legend legend_;
  SliceLook look_;
  std::array<double, 4> viewport_{0, 0, 1, 1};
  Styles styles_;
  FrameBudget budget_;
};

}  // namespace sulcus::ui::scene
