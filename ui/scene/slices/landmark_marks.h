#pragma once

#include "ui/scene/common/legend.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/lines_2d.h"

#include <functional>
#include <memory>
#include <vector>

class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// A table of landmarks (isLandmarks()) over a view: a ring around each point, in a color for its columns, a
/// line between the points of a row, and the name of the row. Drawn on top of everything. Owned by a scene,
/// UI thread.
class LandmarkMarks {
 public:
  /// `renderer` must outlive it.
  explicit LandmarkMarks(vtkRenderer* renderer);

  /// The position of a point (mm, RAS+) on screen, in pixels from the lower left corner; z is the size of its
  /// ring, from 0, invisible, to 1.
  using Project = std::function<Vec3<double>(const Vec3<double>&)>;
  void show(const SceneLayer& layer, const Project& project);

 private:
  void showNames(const std::vector<std::pair<std::string, Vec3<double>>>& names, double unit);

  vtkRenderer* renderer_;
  std::vector<std::unique_ptr<Lines2d>> rings_;  ///< one for each group of three columns
  Lines2d between_;
  std::vector<Shown<vtkTextActor>> names_;
};

/// Adds the meaning of the points' colors.
void addLandmarks(const SceneLayer& layer, std::vector<Legend::Entry>& legend);

}  // namespace sulcus::ui::scene
