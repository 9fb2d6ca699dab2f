#pragma once

#include "ui/scene/glyphs/field_style.h"
#include "ui/scene/scene_layer.h"

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

/// What a color bar shows: "ppm_visual (CPU): P(effect > 3.2)".
std::string titleOf(const SceneLayer& layer);
/// A title in lines of so many characters; shortened where it takes too many.
std::string titleIn(const std::string& title, int most, int lines);

/// Whether a layer that is drawn as an image or a field has a color bar.
bool hasBar(const SceneLayer& layer, const FieldStyle& style);

/// What a color bar says of a layer.
struct BarScale {
  double low = 0, high = 1;
  std::vector<double> marks;                         ///< thresholds, then the two ends
  std::vector<std::array<unsigned char, 4>> colors;  ///< from low to high; clear where nothing is drawn
  std::string title;                                 ///< with the unit
  std::string suffix;                                ///< of the numbers: a unit that is a sign
};
/// The scale of a layer whose colors are shown by `colors`.
BarScale barScaleOf(const SceneLayer& layer, LayerColors& colors);
/// A number of a scale with enough digits to differ from the others of one that is `width` wide.
std::string barNumber(double value, double width);

/// An upright bar with the colors of one layer, its name and unit, the ends of its range and its thresholds.
/// Hidden values are left empty, so that the bar shows what the image shows. Owned by a scene, UI thread.
class ColorBar {
 public:
  /// `renderer` must outlive it.
  explicit ColorBar(vtkRenderer* renderer);
  ~ColorBar();
  ColorBar(const ColorBar&) = delete;
  ColorBar& operator=(const ColorBar&) = delete;

  void show(const SceneLayer& layer, LayerColors* colors);
  /// Whether bars lie across the bottom of a view of this size, which then has less room there.
  static bool isAcross(int width, int height) { return height > 1.15 * width; }
  /// How high, in points, so many bars across the bottom stand above `bottom`, whose titles have so many
  /// lines in all.
  static double heightAcross(int bars, int lines) { return 38.0 * bars + 18.0 * lines; }
  /// How many lines the title of a bar across the bottom has in a view that is so many points wide.
  static int linesAcross(const SceneLayer& layer, double width);
  /// Places it as bar number `index` from the right or, `across`, from the bottom, `bottom` points above it.
  /// The titles of the bars before have so many lines: upright, its own stands above them.
  ///
  /// @return  how many lines the title has
  int layOut(int width, int height, int index, double bottom, bool across, int linesBefore = 0);

 private:
  vtkSmartPointer<vtkTextActor> makeText();

  vtkRenderer* renderer_;
  vtkSmartPointer<vtkPolyData> cells_, frame_;
  vtkSmartPointer<vtkActor2D> bar_, outline_;
  vtkSmartPointer<vtkTextActor> title_, labels_[6];  ///< of thresholds and ends
  BarScale scale_;
};

}  // namespace sulcus::ui::scene
