#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <optional>
#include <vector>

class vtkActor;
class vtkRenderer;

namespace sulcus::ui::scene {

/// The regions that choose lines, as bodies that one sees through, or as the line along which a plane cuts
/// them: green to include, red to exclude, blue to end in, yellow to grow from; the one in hand brighter.
/// Owned by a scene, UI thread.
class RegionMarks {
 public:
  /// `renderer` must outlive it.
  explicit RegionMarks(vtkRenderer* renderer) : renderer_(renderer) {}

  void show(const std::vector<TractRegion>& regions, int inHand, const std::optional<CutPlane>& plane);

 private:
  vtkRenderer* renderer_;
  std::vector<Shown<vtkActor>> actors_;
  std::vector<TractRegion> shown_;
  std::optional<CutPlane> plane_;
  int inHand_ = -1;
};

/// The regions of all layers of tracts.
struct RegionsShown {
  std::vector<TractRegion> regions;
  int inHand = -1;  ///< of them; of the topmost layer that has one
};
RegionsShown regionsOf(const std::vector<SceneLayer>& layers);

/// Where a line of sight meets a region first, as a distance along it; nullopt where it does not, and for
/// labels, which no hand drags.
std::optional<double> distanceTo(const TractRegion& region, const Vec3<double>& from,
                                 const Vec3<double>& along);

}  // namespace sulcus::ui::scene
