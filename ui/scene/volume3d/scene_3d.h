#pragma once

#include "ui/scene/common/annotations.h"
#include "ui/scene/common/color_bars.h"
#include "ui/scene/glyphs/field_actor.h"
#include "ui/scene/scene.h"
#include "ui/scene/slices/crosshair_mark.h"
#include "ui/scene/slices/landmark_marks.h"
#include "ui/scene/volume3d/camera_3d.h"
#include "ui/scene/volume3d/mesh_actor.h"
#include "ui/scene/volume3d/orientation_cube.h"
#include "ui/scene/volume3d/scene_bodies.h"
#include "ui/scene/volume3d/scene_glyphs.h"
#include "ui/scene/volume3d/scene_planes.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

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
class Scene3d : public Scene {
 public:
  explicit Scene3d(vtkRenderWindow* window);
  ~Scene3d() override;

  void setLayers(std::vector<SceneLayer> layers) override;
  void setStyles(const Styles& styles) override;
  void look(const Look3d& look) { look_ = look; }
  /// True if there is nothing to show.
  bool empty() const { return layers_.empty(); }

  CameraPose pose() const { return camera_.pose(); }
  void setPose(const CameraPose& pose) { camera_.setPose(pose); }
  /// Shows all layers from the current direction.
  void resetCamera();
  /// Shows all layers from the patient's 'A', 'P', 'L', 'R', 'S' or 'I' side; other letters have no effect.
  void lookFrom(char side);
  /// Shows all layers from the front, above and the patient's left, so that the three planes and the face are
  /// visible.
  void lookFromFront();

  /// The nearest visible surface point at a pixel.
  std::optional<PickedPoint> pointAt(double x, double y) const;
  /// The nearest visible region for selecting lines at a pixel, and its position.
  struct PickedRegion {
    int layer = 0, region = 0;
    Vec3<double> world;
  };
  std::optional<PickedRegion> regionAt(double x, double y) const;
  /// The position at a pixel that is as far away as `like` along the viewing direction.
  Vec3<double> placeAt(double x, double y, const Vec3<double>& like) const {
    return camera_.placeAt(x, y, like);
  }

  /// True also if bodies or surfaces were drawn coarsely because they moved.
  bool render() override;
  bool leavesOut() const override;
  void showAllGlyphs() override { glyphs_.showAll(); }
  std::string warningAt(double x, double y) const override { return annotations_.warningAt(x, y); }
  /// What is left out, e.g. "showing 1 in 4 glyphs", or "".
  std::string glyphNote() const;

 private:
  Frame3d frame() const { return {look_, styles_, pose()}; }
  bool isPlane(const SceneLayer& layer) const;
  /// Updates all that has a place in space; returns whether bodies are drawn coarsely.
  bool updateActors();
  /// The colors of a layer's bar, as drawn; null where a layer has no bar.
  LayerColors* barColorsOf(const SceneLayer& layer) const;
  /// Updates what is written and marked over it.
  void updateAnnotations();
  /// Shows all layers from this direction.
  void lookAlong(const Vec3<double>& towardsCamera, const Vec3<double>& up);
  void setLights();
  /// Whether the picture can be drawn at the highest quality: with smooth edges and ambient occlusion. In
  /// software this takes too long while the view rotates.
  void setFine(bool on);

  vtkSmartPointer<vtkRenderWindow> window_;
  vtkSmartPointer<vtkRenderer> main_;
  vtkSmartPointer<vtkLight> key_;    ///< shines on surfaces from above the viewer's left shoulder
  vtkSmartPointer<vtkLight> light_;  ///< shines from the viewer, into the shadows of the other
  Camera3d camera_;
  std::vector<SceneLayer> layers_;
  std::map<int, std::unique_ptr<FieldActor>> fields_;
  std::map<int, std::unique_ptr<MeshActor>> meshes_;
  std::map<int, std::unique_ptr<LandmarkMarks>> landmarks_;
  SceneBodies bodies_;
  SceneGlyphs glyphs_;
  ColorBars bars_;
  Annotations annotations_;
  Legend legend_;
  CrosshairMark mark_;
  ScenePlanes planes_;
  OrientationCube cube_;
  bool surfaces_ = false;  ///< whether any are on screen
  Styles styles_;
  Look3d look_;
  CameraPose drawnPose_;  ///< of the previous frame
};

}  // namespace sulcus::ui::scene
