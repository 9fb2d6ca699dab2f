#pragma once

#include "ui/model/layer_stack.h"
#include "ui/model/view_state.h"
#include "ui/scene/field_style.h"
#include "ui/scene/glyph_style.h"

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {
class ImagePair;
}

namespace sulcus::ui::widgets {

/// One plane of the layers at the crosshair, drawn in scanner space with letters, crosshair and color bars.
/// Mouse and keys as keysHtml() tells them (ui/widgets/dialogs.cpp); every gesture only changes ViewState or
/// LayerStack.
class SliceView : public QWidget {
  Q_OBJECT
 public:
  SliceView(model::LayerStack& layers, model::ViewState& view, model::Plane plane, QWidget* parent = nullptr);
  ~SliceView() override;

  model::Plane plane() const;
  void setPlane(model::Plane plane);
  /// Draws only these layers (compare layout); nothing: all visible ones.
  void setShownLayers(std::optional<std::vector<model::LayerId>> ids);
  /// A line at the top of the view, e.g. "CPU".
  void setTitle(const QString& title);
  void setGlyphStyle(const scene::GlyphStyle& style);
  void setFieldStyle(const scene::FieldStyle& style);
  /// Two images in one place, as the pair says; it must outlive this.
  void setImagePair(const model::ImagePair* pair);
  /// The view as it is on screen, at `scale` times its size.
  QImage screenshot(int scale = 1);
  /// Scanner position under a pixel of this widget.
  Vec3<double> worldAt(QPointF widgetPosition) const;
  /// "showing 1 in 4 glyphs", or empty.
  QString glyphNote() const;
  /// Draws all glyphs again, until that turns out to be slow.
  void showAllGlyphs();

 signals:
  void hovered(Vec3<double> world);
  void doubleClicked();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same layers in 3D: slices at the crosshair, glyphs, surfaces. Cameras of all View3d on one ViewState
/// are linked. A click on a surface brings the crosshair there.
class View3d : public QWidget {
  Q_OBJECT
 public:
  View3d(model::LayerStack& layers, model::ViewState& view, QWidget* parent = nullptr);
  ~View3d() override;

  void setShownLayers(std::optional<std::vector<model::LayerId>> ids);
  void setTitle(const QString& title);
  void setGlyphStyle(const scene::GlyphStyle& style);
  void setFieldStyle(const scene::FieldStyle& style);
  void setImagePair(const model::ImagePair* pair);
  /// Images where surfaces are, which they may hide.
  void setPlanesBesideSurfaces(bool on);
  /// Looks from the patient's 'A', 'P', 'L', 'R', 'S' or 'I' side.
  void lookFrom(char side);
  /// Obliquely from the front, everything in sight: how a new image is first seen.
  void lookFromFront();
  void resetCamera();
  QImage screenshot(int scale = 1);
  QString glyphNote() const;
  void showAllGlyphs();
  /// Keeps this view's camera equal to the other's.
  void linkCamera(View3d* other);

 signals:
  void doubleClicked();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sulcus::ui::widgets
