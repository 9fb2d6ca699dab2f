#pragma once

#include "ui/scene/scene_layer.h"

#include <string>

#include <vtkSmartPointer.h>

class vtkActor2D;
class vtkPolyData;
class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

class LayerColors;

/// An upright bar with the colors of one layer, its unit, the ends of its range and its thresholds. Hidden
/// values are left empty, so that the bar shows what the image shows. Owned by a scene, UI thread.
class ColorBar {
 public:
  /// `renderer` must outlive it.
  explicit ColorBar(vtkRenderer* renderer);
  ~ColorBar();
  ColorBar(const ColorBar&) = delete;
  ColorBar& operator=(const ColorBar&) = delete;

  void show(const SceneLayer& layer, LayerColors* colors);
  /// Places it as bar number `index` from the right or, in a tall view, from the bottom, `bottom` points
  /// above it.
  void layOut(int width, int height, int index, double bottom = 48);

 private:
  vtkSmartPointer<vtkTextActor> makeText();

  vtkRenderer* renderer_;
  vtkSmartPointer<vtkPolyData> cells_, frame_;
  vtkSmartPointer<vtkActor2D> bar_, outline_;
  vtkSmartPointer<vtkTextActor> title_, labels_[4];
  double low_ = 0, high_ = 1;
  double labelValues_[4] = {};
  int labelCount_ = 0;
  bool longTitle_ = false;  ///< it would lie on that of the next bar
  std::string suffix_;      ///< of the numbers
};

}  // namespace sulcus::ui::scene
