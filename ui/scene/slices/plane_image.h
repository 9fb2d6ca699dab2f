#pragma once

#include "ui/scene/glyphs/field_style.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/slices/plane_values.h"

#include <optional>
#include <vector>

#include <vtkSmartPointer.h>

class vtkImageData;

namespace sulcus::ui::scene {

/// Whether a layer is drawn by a PlaneImage: volumes, labels, and fields of which the length is shown.
bool isPlaneImage(const SceneLayer& layer, const FieldStyle& style);
/// How many pixels of a view are computed at most: between voxels values change slowly, at their borders they
/// do not.
int mostPixels(const SceneLayer& layer);

/// A layer on a plane, computed for each pixel of a raster: a volume, maybe only in every second tile of a
/// checkerboard, labels, or the length of a displacement. VTK's own mapper reslices in double precision and
/// colors by a call for each pixel, which takes several times as long. A scene owns it and draws its pixels.
/// UI thread.
class PlaneImage {
 public:
  PlaneImage();

  /// Computes only what has changed: values, or their colors. `asFine`: as the pixels of the view, so that
  /// nothing lies between those of the raster.
  void show(const SceneLayer& layer, const PlaneRaster& raster, const FieldStyle& style, bool asFine = false);
  /// Shows nothing, because it would not be seen.
  void hide(const SceneLayer& layer);
  /// Whether nothing shows through the image where `raster`, with the same axes, lies.
  bool covers(const PlaneRaster& raster) const;
  /// Shows of the image what lies right of a point, mm; all of it without one.
  void cutBefore(const std::optional<Vec3<double>>& point);
  LayerColors* colors() const { return colors_; }
  bool isVisible() const { return visible_; }
  const PlaneRaster& raster() const { return raster_; }
  /// The column of the raster before which nothing is shown.
  int firstColumn() const { return firstColumn_; }
  /// RGBA of the raster, row by row, without the opacity of the layer; `changed` tells when they were
  /// painted.
  vtkImageData* image() const;
  const unsigned char* pixels() const;
  unsigned long changed() const;
  double opacity() const { return opacity_; }
  /// Whether no pixel is clear.
  bool isOpaque() const { return opaque_; }
  /// Whether a pixel lies in the image, be it drawn or not.
  bool isInside(std::size_t pixel) const;
  /// Whether its values are smooth between the pixels.
  bool isSmooth() const { return smooth_; }

 private:
  void compute(const SceneLayer& layer);
  void computeShares();
  void keepBorders(const Volume<Label>& labels);
  void keepTiles(const Grid& grid);
  void paint();
  void drawThresholds(unsigned char* pixels) const;
  void showColors(const SceneLayer& layer);

  vtkSmartPointer<vtkImageData> image_;  ///< the colors of the pixels
  vtkSmartPointer<LayerColors> colors_;
  PlaneValues plane_;          ///< of the pixels
  std::vector<float> shares_;  ///< of their opacity, 0…1, by another image; empty: all of it
  std::optional<OpacityImage> opacityImage_;
  LayerPtr layer_;
  PlaneRaster raster_;
  FieldStyle style_;
  Range automatic_{0, 1};  ///< where the display has no range
  int volume_ = -1;
  double tile_ = 0, opacity_ = 1;
  int firstColumn_ = 0;
  bool visible_ = false, smooth_ = false;
  bool interpolate_ = true, outline_ = false;
  bool opaque_ = false;        ///< no pixel is clear
  unsigned long painted_ = 0;  ///< the colors with which they were painted last, by their time of change
};

}  // namespace sulcus::ui::scene
