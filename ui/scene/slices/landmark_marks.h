#pragma once

#include "ui/scene/common/legend.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/lines_2d.h"

#include <functional>
#include <memory>
#include <vector>

#include <vtkSmartPointer.h>

class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// A table of landmarks (isLandmarks()) over a view: a ring around each place, in a color for the columns
/// that it stands in, a line between the places of a row, and the name of the row. Lies over all else. Owned
/// by a scene, UI thread.
class LandmarkMarks {
 public:
  /// `renderer` must outlive it.
  explicit LandmarkMarks(vtkRenderer* renderer);
  ~LandmarkMarks();
  LandmarkMarks(const LandmarkMarks&) = delete;
  LandmarkMarks& operator=(const LandmarkMarks&) = delete;

  /// Where a place (mm, RAS+) is seen, in pixels from the lower left corner; z is the size of its ring, from
  /// 0, where it is not seen, to 1.
  using Project = std::function<Vec3<double>(const Vec3<double>&)>;
  void show(const SceneLayer& layer, const Project& project);

 private:
  void showNames(const std::vector<std::pair<std::string, Vec3<double>>>& names, double unit);

  vtkRenderer* renderer_;
  std::vector<std::unique_ptr<Lines2d>> rings_;  ///< one for each three columns
  Lines2d between_;
  std::vector<vtkSmartPointer<vtkTextActor>> names_;
};

/// Adds what the colors of the places stand for.
void addLandmarks(const SceneLayer& layer, std::vector<Legend::Entry>& legend);

}  // namespace sulcus::ui::scene
