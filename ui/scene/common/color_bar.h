#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/styles.h"

#include <array>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

class vtkActor2D;
class vtkPolyData;
class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

class LayerColors;

/// The title of a color bar: "ppm_visual (CPU): P(effect > 3.2)".
std::string titleOf(const SceneLayer& layer);
/// A title in lines of this many characters; shortened if it takes too many lines.
std::string titleIn(const std::string& title, int most, int lines);

/// Whether a layer drawn as an image or a field has a color bar.
bool hasBar(const SceneLayer& layer, const FieldStyle& style);

/// The content of a layer's color bar.
struct BarScale {
  double low = 0, high = 1;
  std::vector<double> marks;                         ///< thresholds, then the two ends
  std::vector<std::array<unsigned char, 4>> colors;  ///< from low to high; transparent where nothing is drawn
  std::string title;                                 ///< including the unit
  std::string suffix;                                ///< of the numbers: a unit that is a symbol
};
/// The scale of a layer that is colored by `colors`.
BarScale barScaleOf(const SceneLayer& layer, LayerColors& colors);
/// A number on a scale of width `width`, with enough digits to distinguish it from the others.
std::string barNumber(double value, double width);

/// A vertical bar with the colors of one layer, its name and unit, the ends of its range and its thresholds.
/// Hidden values are left empty, so that the bar matches the image. Owned by a scene, UI thread.
class ColorBar {
 public:
  /// `renderer` must outlive it.
  explicit ColorBar(vtkRenderer* renderer);

  void show(const SceneLayer& layer, LayerColors* colors);
  /// Whether bars are placed along the bottom in a view of this size, which then has less room there.
  static bool isAcross(int width, int height) { return height > 1.15 * width; }
  /// The height, in points above `bottom`, of this many bars along the bottom, whose titles have this many
  /// lines in total.
  static double heightAcross(int bars, int lines) { return 38.0 * bars + 18.0 * lines; }
  /// The number of lines of the title of a bar along the bottom in a view that is this many points wide.
  static int linesAcross(const SceneLayer& layer, double width);
  /// Positions it as bar number `index` from the right or, with `across`, from the bottom, `bottom` points
  /// above it. The titles of the preceding bars have this many lines: if vertical, its own is above them.
  ///
  /// @return the number of lines of the title
  int layOut(int width, int height, int index, double bottom, bool across, int linesBefore = 0);

 private:
  /// Where the bar is, pixels from the lower left.
  struct Frame {
    double x = 0, y = 0, length = 0, thickness = 0;
    double unit = 1;      ///< pixels per point
    bool across = false;  ///< along the bottom
  };
  void placeCorners(const Frame& frame);
  /// @param fits  whether there is room for the bar
  void placeLabels(const Frame& frame, bool fits);

  vtkRenderer* renderer_;
  vtkSmartPointer<vtkPolyData> cells_, frame_;
  Shown<vtkActor2D> bar_, outline_;
  Shown<vtkTextActor> title_;
  std::vector<Shown<vtkTextActor>> labels_;  ///< of thresholds and ends
  BarScale scale_;
};

}  // namespace sulcus::ui::scene
