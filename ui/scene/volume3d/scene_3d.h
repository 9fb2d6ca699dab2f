#pragma once

#include "ui/scene/common/annotations.h"
#include "ui/scene/common/color_bar.h"
#include "ui/scene/common/frame_budget.h"
#include "ui/scene/glyphs/field_actor.h"
#include "ui/scene/glyphs/glyph_actor.h"
#include "ui/scene/scene_style.h"
#include "ui/scene/slices/crosshair_mark.h"
#include "ui/scene/slices/landmark_marks.h"
#include "ui/scene/tracts/region_marks.h"
#include "ui/scene/tracts/tract_actor.h"
#include "ui/scene/volume3d/camera_pose.h"
#include "ui/scene/volume3d/mesh_actor.h"
#include "ui/scene/volume3d/scene_planes.h"
#include "ui/scene/volume3d/volume_rendering.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

class vtkAnnotatedCubeActor;
class vtkLight;
class vtkRenderWindow;
class vtkRenderer;

namespace sulcus::ui::scene {

/// A point on a surface that was picked.
struct PickedPoint {
  int layer = 0;
  std::int32_t point = 0;  ///< of its mesh
  Vec3<double> world;      ///< mm RAS+
};

/// The layers in 3D: images on the three planes through the crosshair, glyphs, surfaces, and a cube that
/// shows the sides of the patient. Planes would hide surfaces and are left out next to them unless requested.
/// Images may be shown as bodies instead; these and surfaces can be cut open at the crosshair (Cut). UI
/// thread only.
class Scene3d {
 public:
  explicit Scene3d(vtkRenderWindow* window);
  ~Scene3d();

  /// The layers to draw, bottom to top. Those that stay keep their pipeline.
  void setLayers(std::vector<SceneLayer> layers);
  void setGlyphStyle(const GlyphStyle& style) { glyphStyle_ = style; }
  void setFieldStyle(const FieldStyle& style);
  void setCrosshair(const Vec3<double>& world) { crosshair_ = world; }
  void setTurn(const SliceTurn& turn) { turn_ = turn; }
  void setCrosshairVisible(bool visible) { crosshairVisible_ = visible; }
  void setTitle(const std::string& title);
  /// Whether color bars are drawn; initially they are.
  void setBars(bool on) { hasBars_ = on; }
  void setStyle(const SceneStyle& style);
  /// Whether images are shown together with surfaces, which they may hide.
  void setPlanesBesideSurfaces(bool on);
  /// Whether a GPU draws: without one, translucent objects are not sorted by depth, which takes many passes,
  /// and the CPU casts the rays through bodies.
  void setOnGpu(bool on);
  /// While on, all glyphs are drawn at the highest resolution: for pictures.
  void setStill(bool on) { budget_.setStill(on); }
  /// No motion: draws all glyphs that can be drawn in about a second, at the resolution this allows, and
  /// bodies with rays that leave no rings.
  void setRest(bool on) { rest_ = on; }
  /// Whether glyphs are fewer, or glyphs or bodies coarser, than at rest.
  bool leavesOut() const;

  CameraPose pose() const;
  void setPose(const CameraPose& pose);
  /// Shows all layers from the current direction.
  void resetCamera();
  /// Shows all layers from the patient's 'A', 'P', 'L', 'R', 'S' or 'I' side; other letters have no effect.
  void lookFrom(char side);
  /// Shows all layers from the front, above and the patient's left, so that the three planes and the face are
  /// visible.
  void lookFromFront();
  /// The nearest visible surface point at a pixel, counted from the lower left corner.
  std::optional<PickedPoint> pointAt(double x, double y) const;
  /// The nearest visible region for selecting lines at a pixel, and its position.
  struct PickedRegion {
    int layer = 0, region = 0;
    Vec3<double> world;
  };
  std::optional<PickedRegion> regionAt(double x, double y) const;
  /// The position at a pixel that is as far away as `like` along the viewing direction.
  Vec3<double> placeAt(double x, double y, const Vec3<double>& like) const;
  /// True if there is nothing to show.
  bool empty() const { return layers_.empty(); }

  /// Updates everything and draws. True if the number of glyphs was changed, or bodies were drawn coarsely
  /// because they moved: draw again.
  bool render();
  /// Shows the initial number of glyphs, until frames turn out to be slow.
  void showAllGlyphs() { budget_.reset(begin_); }
  /// The warning whose sign is at a pixel, counted from the lower left corner; or "".
  std::string warningAt(double x, double y) const { return annotations_.warningAt(x, y); }
  /// What is left out, e.g. "showing 1 in 4 glyphs", or "".
  std::string glyphNote() const;

 private:
  void dropStale();
  bool isPlane(const SceneLayer& layer) const;
  /// How the lowest body that is cut open is cut.
  Cut cutOfBodies() const;
  /// The plane along which a layer is cut open, see cutPlane().
  std::optional<CutPlane> cutOf(const SceneLayer& layer) const;
  void updateMeshes();
  /// The colors of a layer's bar, as drawn; null where a layer has no bar.
  LayerColors* barColorsOf(const SceneLayer& layer) const;
  /// Returns the number of lines of their titles.
  int layOutBars();
  void updatePlanes();
  void updateFields();
  /// Returns whether bodies are drawn coarsely.
  bool updateBodies();
  VolumeRendering::Rays raysOfBodies(bool moves) const;
  void updateGlyphs(const SceneLayer& layer);
  std::int64_t segmentsToDraw() const;
  /// Whether a region for selecting lines is being dragged, so that frames have to be quick.
  bool drags() const;
  void updateTracts();
  void updateAllGlyphs();
  /// Shows all layers from this direction.
  void lookAlong(const Vec3<double>& towardsCamera, const Vec3<double>& up);
  void setLights();
  /// Moves the camera back until everything drawn is visible, and no further.
  void fitCamera();
  /// Whether the picture can be drawn at the highest quality: with smooth edges and ambient occlusion. In
  /// software this takes too long while the view rotates.
  void setFine(bool on);
  /// The camera covers the same extent along the shorter side of every view, so that linked views show the
  /// same amount.
  void fitShorterSide();
  void updateLandmarks();
  void placeCube();

  vtkSmartPointer<vtkRenderWindow> window_;
  vtkSmartPointer<vtkRenderer> main_, marker_;
  vtkSmartPointer<vtkLight> key_;    ///< shines on surfaces from above the viewer's left shoulder
  vtkSmartPointer<vtkLight> light_;  ///< shines from the viewer, into the shadows of the other
  vtkSmartPointer<vtkAnnotatedCubeActor> cube_;
  std::vector<SceneLayer> layers_;
  std::map<int, std::unique_ptr<GlyphActor>> glyphs_;
  std::map<int, std::unique_ptr<FieldActor>> fields_;
  std::map<int, std::unique_ptr<MeshActor>> meshes_;
  std::map<int, std::unique_ptr<TractActor>> tracts_;
  RegionMarks regions_;  ///< for selecting lines
  std::map<int, std::unique_ptr<VolumeRendering>> bodies_;
  std::map<int, std::unique_ptr<LandmarkMarks>> landmarks_;
  std::map<int, std::unique_ptr<ColorBar>> bars_;
  bool hasBars_ = true;
  Annotations annotations_;
  Legend legend_;
  CrosshairMark mark_;
  ScenePlanes planes_;
  std::string title_;
  bool crosshairVisible_ = true, planesBesideSurfaces_ = false, onGpu_ = true;
  bool surfaces_ = false;  ///< whether any are on screen
  SceneStyle style_;
  GlyphStyle glyphStyle_;
  FieldStyle fieldStyle_;
  Vec3<double> crosshair_;
  SliceTurn turn_;
  FrameBudget budget_;
  bool rest_ = false;
  int begin_ = 1;  ///< initial thinning of the budget
  // The state in which the bodies were last drawn.
  CameraPose bodyPose_;
  Vec3<double> bodyCrosshair_;
  SliceTurn bodyTurn_;
  bool bodiesChanged_ = false;
  double finest_ = 1;     ///< pixels per ray of a body that has just stopped
  CameraPose drawnPose_;  ///< of the previous frame
};

}  // namespace sulcus::ui::scene
