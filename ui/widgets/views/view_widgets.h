#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/lightbox.h"
#include "ui/model/views/view_state.h"
#include "ui/scene/glyphs/field_style.h"
#include "ui/scene/glyphs/glyph_style.h"
#include "ui/scene/scene_style.h"

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {
class MovableRegions;
class ImageOverlay;
}  // namespace sulcus::ui::model

namespace sulcus::ui::widgets {

/// What all views have in common.
class SceneView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  virtual void setGlyphStyle(const scene::GlyphStyle& style) = 0;
  virtual void setFieldStyle(const scene::FieldStyle& style) = 0;
  /// Two overlaid images; `pair` must outlive this.
  virtual void setImageOverlay(model::ImageOverlay* pair) = 0;
  /// The view as it is on screen, at `scale` times its size.
  virtual QImage screenshot(int scale = 1) = 0;
  /// Whether it draws color bars; initially it does.
  virtual void setBars(bool) {}
  /// Draws all glyphs again, until that turns out to be slow.
  virtual void showAllGlyphs() = 0;

 signals:
  void hovered(Vec3<double> world);
  void left();  ///< the pointer left
  /// A right click without dragging: asks what can be done at this position, mm RAS+.
  void menuRequested(const QPoint& globalPosition, Vec3<double> world);
  void doubleClicked();
};

/// One plane of the layers at the crosshair, drawn in scanner space with letters, crosshair and color bars.
/// Mouse and keys as keysHtml() lists them (ui/widgets/dialogs/dialogs.cpp); every gesture only changes
/// ViewState, LayerStack or ImageOverlay.
class SliceView : public SceneView {
  Q_OBJECT
 public:
  SliceView(model::LayerStack& layers, model::ViewState& view, model::Plane plane, QWidget* parent = nullptr);
  ~SliceView() override;

  model::Plane plane() const;
  /// The unit normal of the plane shown.
  const Vec3<double>& normal() const;
  void setPlane(model::Plane plane);
  /// Whether it follows the others. An unlinked view has its own crosshair, rotation and section, which start
  /// as those of the others.
  void setLinked(bool on);
  bool isLinked() const;
  /// Its position; for a linked view that of all.
  model::ViewState& place() const;
  /// Draws only these layers (compare layout); none: all visible ones.
  void setShownLayers(std::optional<std::vector<model::LayerId>> ids);
  /// A line at the top of the view, e.g. "CPU".
  void setTitle(const QString& title);
  void setGlyphStyle(const scene::GlyphStyle& style) override;
  void setFieldStyle(const scene::FieldStyle& style) override;
  void setImageOverlay(model::ImageOverlay* pair) override;
  QImage screenshot(int scale = 1) override;
  /// Scanner position under a pixel of this widget.
  Vec3<double> worldAt(QPointF widgetPosition) const;
  void setBars(bool on) override;
  void showAllGlyphs() override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The layers in 3D: slices at the crosshair, glyphs, surfaces. Cameras of all View3d on one ViewState are
/// linked. A click on a surface moves the crosshair there.
class View3d : public SceneView {
  Q_OBJECT
 public:
  View3d(model::LayerStack& layers, model::ViewState& view, QWidget* parent = nullptr);
  ~View3d() override;

  void setShownLayers(std::optional<std::vector<model::LayerId>> ids);
  void setTitle(const QString& title);
  void setGlyphStyle(const scene::GlyphStyle& style) override;
  void setFieldStyle(const scene::FieldStyle& style) override;
  void setImageOverlay(model::ImageOverlay* pair) override;
  void setSceneStyle(const scene::SceneStyle& style);
  /// Shows images together with surfaces, which they may hide.
  void setPlanesBesideSurfaces(bool on);
  /// Regions that select lines can be dragged in the plane perpendicular to the line of sight; the models
  /// must outlive this.
  void setRegions(std::vector<model::MovableRegions*> holders);
  /// Views from the patient's 'A', 'P', 'L', 'R', 'S' or 'I' side.
  void lookFrom(char side);
  /// Obliquely from the front, with everything visible: the first view of a new image.
  void lookFromFront();
  void resetCamera();
  QImage screenshot(int scale = 1) override;
  void setBars(bool on) override;
  void showAllGlyphs() override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Many slices of one plane over the visible range. A click moves the crosshair to that point of that slice;
/// the wheel moves all of them by one slice.
class LightboxView : public SceneView {
  Q_OBJECT
 public:
  LightboxView(model::LayerStack& layers, model::ViewState& view, QWidget* parent = nullptr);
  ~LightboxView() override;

  const model::LightboxLook& look() const;
  void setLook(const model::LightboxLook& look);
  /// Resets to the initial slices.
  void reset();
  /// The positions of the slices along the normal of their plane, mm.
  std::vector<double> places() const;
  void setGlyphStyle(const scene::GlyphStyle& style) override;
  void setFieldStyle(const scene::FieldStyle& style) override;
  void setImageOverlay(model::ImageOverlay* pair) override;
  QImage screenshot(int scale = 1) override;
  void showAllGlyphs() override {}

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sulcus::ui::widgets
