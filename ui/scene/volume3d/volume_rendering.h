#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <optional>

#include <vtkSmartPointer.h>

class vtkImageData;
class vtkRenderer;
class vtkVolume;
class vtkVolumeMapper;

namespace sulcus::ui::scene {

/// How much a value in the body of a volume hides what is behind it, 0…1: nothing if the thresholds of the
/// display hide the value, more the higher it is in the range, or from the middle to both ends if the range
/// has both signs.
double volumeOpacity(const Display& display, Range range, double value);
/// The value in a nonnegative range at which a body begins.
double bodyFloor(Range range);

/// Whether a layer is drawn as a body in 3D.
inline bool isBody(const SceneLayer& layer) { return isVolume(layer) && layer.display.rendered; }

/// An image shown as a body: rays through its values, which are more opaque the higher they are. Owned by a
/// scene, UI thread.
class VolumeRendering {
 public:
  /// `renderer` must outlive it. Without a GPU, the CPU casts the rays, through fewer voxels.
  VolumeRendering(vtkRenderer* renderer, bool onGpu);

  /// Computes only what has changed.
  void show(const SceneLayer& layer);
  /// Leaves out the octant at `corner` in which `eye` lies, mm; no effect without a corner.
  void cutOctant(const std::optional<Vec3<double>>& corner, const Vec3<double>& eye);
  /// Leaves out the half in front of a plane; no effect without one.
  void cutHalf(const std::optional<CutPlane>& plane);
  LayerColors* colors() const { return colors_; }
  /// The resolution at which the CPU casts rays; a GPU casts one for each pixel.
  struct Rays {
    double pixels = 1;  ///< per ray, ≥ 1: fewer rays are faster
    double step = 1;    ///< along a ray, in voxels of the body: large steps leave rings
  };
  void setRays(const Rays& rays);

 private:
  void takeRange(const Series<float>& series, int volume);
  /// The values that the body's steps have to distinguish: those relevant for colors and thresholds, not
  /// outliers far beyond.
  Range toldApart(const Display& display) const;
  void takeVoxels(const Series<float>& series, int volume, Range values);
  void takeColors(const Display& display);

  bool onGpu_;
  vtkSmartPointer<vtkImageData> image_;  ///< from 1 to kMost over values_, 0 where there is no value
  vtkSmartPointer<vtkVolumeMapper> mapper_;
  Shown<vtkVolume> volume_;
  vtkSmartPointer<LayerColors> colors_;
  Rays rays_;
  bool smooth_ = false;  ///< whether the voxels are smoothed
  LayerPtr layer_;
  int shown_ = -1;  ///< volume of a series
  Display display_;
  Range extremes_, values_, automatic_;  ///< of the image; of the steps; of its colors at first
};

}  // namespace sulcus::ui::scene
