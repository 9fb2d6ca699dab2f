#pragma once

#include "ui/scene/annotations.h"
#include "ui/scene/field_actor.h"
#include "ui/scene/frame_budget.h"
#include "ui/scene/glyph_actor.h"
#include "ui/scene/image_actor.h"
#include "ui/scene/mesh_actor.h"
#include "ui/scene/plane_image.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

class vtkImageStack;
class vtkPlane;
class vtkRenderWindow;
class vtkRenderer;

namespace sulcus::ui {

/// Where a 3D view looks from, mm RAS+.
struct CameraPose {
  Vec3<double> position{0, -1, 0}, focus{}, up{0, 0, 1};
  friend bool operator==(const CameraPose&, const CameraPose&) = default;
};

/// The layers in 3D: images on the three planes through the crosshair, glyphs, surfaces, and a cube that
/// tells the sides of the patient. Everything happens on the UI thread.
class Scene3d {
 public:
  explicit Scene3d(vtkRenderWindow* window);
  ~Scene3d();

  /// Bottom to top. Layers that stayed keep their pipeline.
  void setLayers(std::vector<SceneLayer> layers);
  void setGlyphStyle(const GlyphStyle& style) { glyphStyle_ = style; }
  void setFieldStyle(const FieldStyle& style);
  void setCrosshair(const Vec3<double>& world) { crosshair_ = world; }
  void setTitle(const std::string& title) { annotations_.setText(Annotations::Corner::topLeft, title); }

  CameraPose pose() const;
  void setPose(const CameraPose& pose);
  /// All layers in sight, from the side looked from now.
  void resetCamera();
  /// All layers in sight, from the patient's 'A', 'P', 'L', 'R', 'S' or 'I' side; other letters do nothing.
  void lookFrom(char side);
  /// All layers in sight, from in front, above and the patient's left: the three planes and the face show.
  void lookFromFront();
  /// True when there is nothing to see.
  bool empty() const { return layers_.empty(); }

  /// Brings everything up to date and draws. True when glyphs were thinned or thickened: draw again.
  bool render();
  /// What is left out, e.g. "showing 1 in 4 glyphs", or "".
  std::string glyphNote() const { return glyphs_.empty() ? fieldNote(fields_, fieldStyle_) : budget_.note(); }

 private:
  using Slices = std::array<std::unique_ptr<ImageActor>, 3>;  ///< the three planes of one image layer
  using PlaneImages = std::array<std::unique_ptr<PlaneImage>, 3>;
  void dropStale();
  void updateFields();
  void updateGlyphs(const SceneLayer& layer);
  void updateAllGlyphs();
  void placeCube();

  vtkSmartPointer<vtkRenderWindow> window_;
  vtkSmartPointer<vtkRenderer> main_, marker_;
  std::array<vtkSmartPointer<vtkPlane>, 3> planes_;  ///< normals x, y, z
  std::array<vtkSmartPointer<vtkImageStack>, 3> stacks_;
  std::vector<SceneLayer> layers_;
  std::map<int, Slices> slices_;
  std::map<int, PlaneImages> planeImages_;
  std::map<int, std::unique_ptr<GlyphActor>> glyphs_;
  std::map<int, std::unique_ptr<FieldActor>> fields_;
  std::map<int, std::unique_ptr<MeshActor>> meshes_;
  Annotations annotations_;
  GlyphStyle glyphStyle_;
  FieldStyle fieldStyle_;
  Vec3<double> crosshair_;
  FrameBudget budget_;
  int begin_ = 1;  ///< thinning that the budget began with
};

}  // namespace sulcus::ui
