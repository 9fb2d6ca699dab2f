#pragma once

#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/slices/plane_values.h"
#include "ui/scene/styles.h"

#include <optional>
#include <vector>

#include <vtkSmartPointer.h>

class vtkImageData;

namespace sulcus::ui::scene {

/// Whether a layer is drawn by a PlaneImage: volumes, labels, and fields shown by their length.
bool isPlaneImage(const SceneLayer& layer, const FieldStyle& style);
/// The maximum number of pixels computed for a view: values change slowly between voxels, but not at the
/// borders of labels.
int mostPixels(const SceneLayer& layer);

/// A layer on a plane, computed for each pixel of a raster: a volume (optionally only in every second tile of
/// a checkerboard), labels, or the length of a displacement. VTK's own mapper reslices in double precision
/// and colors with one call per pixel, which takes several times as long. A scene owns it and draws its
/// pixels. UI thread.
class PlaneImage {
 public:
  PlaneImage();

  /// Computes only what has changed: values, or their colors. `asFine`: with the pixels of the view, so that
  /// nothing is interpolated between those of the raster.
  void show(const SceneLayer& layer, const PlaneRaster& raster, const FieldStyle& style, bool asFine = false);
  /// Shows nothing, because it would not be visible.
  void hide(const SceneLayer& layer);
  /// Whether the image is opaque wherever `raster`, with the same axes, lies.
  bool covers(const PlaneRaster& raster) const;
  /// Shows only the part of the image to the right of a point, mm; all of it without one.
  void cutBefore(const std::optional<Vec3<double>>& point);
  LayerColors* colors() const { return colors_; }
  bool isVisible() const { return visible_; }
  const PlaneRaster& raster() const { return raster_; }
  /// The first column of the raster that is shown.
  int firstColumn() const { return firstColumn_; }
  /// RGBA of the raster, row by row, without the opacity of the layer; `changed` says when it was last
  /// painted.
  vtkImageData* image() const;
  const unsigned char* pixels() const;
  unsigned long changed() const;
  double opacity() const { return opacity_; }
  /// Whether no pixel is transparent.
  bool isOpaque() const { return opaque_; }
  /// Whether a pixel is inside the image, whether drawn or not.
  bool isInside(std::size_t pixel) const;
  /// Whether values are interpolated between the pixels.
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
  std::vector<float> shares_;  ///< fraction of their opacity, 0…1, from another image; empty: full opacity
  std::optional<OpacityImage> opacityImage_;
  LayerPtr layer_;
  PlaneRaster raster_;
  FieldStyle style_;
  Range automatic_{0, 1};  ///< used if the display has no range
  int volume_ = -1;
  double tile_ = 0, opacity_ = 1;
  int firstColumn_ = 0;
  bool visible_ = false, smooth_ = false;
  bool interpolate_ = true, outline_ = false;
  bool opaque_ = false;        ///< no pixel is transparent
  unsigned long painted_ = 0;  ///< modification time of the colors with which they were last painted
};

}  // namespace sulcus::ui::scene
