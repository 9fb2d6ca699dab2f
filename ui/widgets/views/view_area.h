#pragma once

#include "ui/model/layers/image_overlay.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/session/session_state.h"
#include "ui/widgets/views/view_widgets.h"

#include <QImage>
#include <QWidget>
#include <vector>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace sulcus::ui::widgets {

class ColorBarStrip;

/// The layout of the center of the window: all four views, one of them alone, a comparison, the 3D view next
/// to the slices, or many slices of one plane.
enum class ViewLayout { grid, axial, coronal, sagittal, scene, compare, beside, lightbox };

/// The linked views, the compare layout (first | second | difference, or before | first | second in 3D), and
/// the strip above them.
class ViewArea : public QWidget {
  Q_OBJECT
 public:
  /// All must outlive this. `pair`: two overlaid images, in all views except those of the compare layout.
  ViewArea(model::LayerStack& layers, model::ViewState& view, model::ImageOverlay& pair,
           QWidget* parent = nullptr);

  /// The widget with the views, without the bars above them.
  QWidget* pages() const;
  ViewLayout layoutShown() const { return layout_; }
  /// Shows another layout; that of a comparison is refused if nothing has been compared.
  void setLayoutShown(ViewLayout layout);
  bool canCompare() const { return comparison_ != nullptr; }

  /// Fills the compare layout and shows it.
  void showComparison(const model::ComparedPtr& comparison);
  /// Leaves and empties the compare layout.
  void closeComparison();
  /// Shows the compared runs under their current titles.
  void refreshComparison();
  /// Three slices or three 3D views in the compare layout.
  void setCompareIn3d(bool on);
  bool compareIn3d() const { return compare3d_; }
  /// The shorter side of a view of the compare layout in this much room.
  static int comparedSide(QSize room);
  /// The shorter side below which the views of the compare layout are too small to be useful, pixels.
  static constexpr int kLeastCompared = 180;
  /// The plane of the compare layout; in other layouts that view, maximized.
  void showPlane(model::Plane plane);
  /// The layout of the lightbox.
  const model::LightboxLook& lightboxLook() const { return lightbox_->look(); }
  void setLightboxLook(const model::LightboxLook& look);
  /// The plane of the slices in the compare layout.
  model::Plane comparePlane() const { return comparePlane_; }
  void setComparePlane(model::Plane plane);
  const scene::GlyphStyle& glyphStyle() const { return glyphs_; }
  const scene::FieldStyle& fieldStyle() const { return fields_; }
  /// Also shows all glyphs again.
  void resetCameras();
  /// How all views draw fiber directions.
  void setGlyphStyle(const scene::GlyphStyle& style);
  /// How all views draw displacement fields.
  void setFieldStyle(const scene::FieldStyle& style);
  /// The background of all 3D views, and their light.
  void setSceneStyle(const scene::SceneStyle& style);
  const scene::SceneStyle& sceneStyle() const { return sceneStyle_; }
  void lookFrom(char side);
  /// Whether 3D views show images together with surfaces.
  void setPlanesBesideSurfaces(bool on);
  bool planesBesideSurfaces() const { return planesBesideSurfaces_; }

  /// Moves a view, given by its plane or 3 for the 3D view, to a separate window, at `place` on the screen,
  /// or back. One always stays.
  void setDetached(int view, bool on, const QRect& place = {});
  bool isDetached(int view) const { return windows_[view] != nullptr; }
  bool canDetach(int view) const;
  /// The detached views, with their positions.
  std::vector<model::DetachedView> detachedViews() const;
  /// Unlinks the slice that last had the keyboard focus from the others, or links it again.
  void toggleLink();
  /// The slice that last had the keyboard focus.
  SliceView* activeSlice() const { return active_; }
  std::vector<model::UnlinkedView> unlinkedViews() const;
  void setUnlinkedViews(const std::vector<model::UnlinkedView>& views);

  SliceView* slice(model::Plane plane) { return slices_[int(plane)]; }
  View3d* scene() { return scene_; }
  LightboxView* lightbox() { return lightbox_; }
  /// Views on screen now, in reading order.
  std::vector<SceneView*> shownViews() const;
  /// The size of all views together, in pixels of the screen.
  QSize viewsSize() const;
  /// Whether the color bars are next to the views.
  bool hasBarsBeside() const;
  /// All views on screen as arranged, with `scale` times their pixels. Color bars next to the views are drawn
  /// in one of them.
  QImage screenshot(int scale);
  /// The same with the color bars next to the views, as on screen: a wider picture.
  QImage screenshotWithBars(int scale);
  /// Updates what is on screen at once, at the highest quality: for pictures.
  void finishDrawing();
  /// What the views left out, e.g. "showing 1 in 4 glyphs".
  QString glyphNote() const;

 signals:
  void hovered(Vec3<double> world);
  void left();  ///< the pointer left a view
  void menuRequested(const QPoint& globalPosition, Vec3<double> world);
  void layoutChanged();
  /// The difference of the two overlaid images is requested as a layer.
  void differenceRequested();
  /// A view is now in this window.
  void detached(QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QImage drawnViews(int scale) const;
  QWidget* makeStrip();
  QWidget* makeGrid();
  void makeCompare();
  /// Arranges the three views of the compare layout in a row, or the third below the others if a row of this
  /// size would make them too narrow.
  void placeCompared(QSize room);
  void fillCompare();
  QWidget* makeLightboxTools();
  /// The three slices and the 3D view.
  SceneView* mainView(int view) const;
  /// Whether the layout has a place for one of them.
  bool isInLayout(int view) const;
  /// All views.
  std::vector<SceneView*> allViews() const;
  /// Shows a view alone, or the previous layout.
  void toggleAlone(ViewLayout alone);
  void placeViews();
  void updateVisible();
  /// Shows as much of the strip as fits. The tools of the lightbox are in the row of the layouts, or below
  /// it.
  void setLightboxToolsBelow(bool below);
  void fitStrip();

  model::LayerStack& layers_;
  model::ViewState& view_;
  model::ImageOverlay& pair_;
  ViewLayout layout_ = ViewLayout::grid;
  ViewLayout before_ = ViewLayout::grid;  ///< before one view was shown alone
  model::Plane comparePlane_ = model::Plane::axial;
  bool compare3d_ = false, comparedSurfaces_ = false, planesBesideSurfaces_ = false;
  scene::SceneStyle sceneStyle_;
  scene::GlyphStyle glyphs_;
  scene::FieldStyle fields_;
  model::ComparedPtr comparison_;
  QStackedWidget* pages_ = nullptr;
  ColorBarStrip* bars_ = nullptr;
  SliceView* slices_[3] = {};
  SliceView* active_ = nullptr;
  QWidget* windows_[4] = {};  ///< of the views that are detached
  View3d* scene_ = nullptr;
  LightboxView* lightbox_ = nullptr;
  QWidget* comparePage_ = nullptr;
  SliceView* compareSlices_[3] = {};
  View3d* compareScenes_[3] = {};
  QButtonGroup* layoutButtons_ = nullptr;
  QHBoxLayout* stripRow_ = nullptr;  ///< of the strip, with the layouts
  int lightboxPlace_ = 0;            ///< position of the lightbox tools in it
  QWidget *compareTools_ = nullptr, *sceneTools_ = nullptr, *lightboxTools_ = nullptr;
  QButtonGroup* lightboxPlane_ = nullptr;
  QSpinBox *lightboxColumns_ = nullptr, *lightboxRows_ = nullptr;
  QButtonGroup* dimension_ = nullptr;
  QToolButton *planes_ = nullptr, *pairButton_ = nullptr;
};

/// While it exists, the color bars next to the views are drawn in one of them, the first unless another is
/// given: for taking a picture of the views.
class BarsInPicture {
 public:
  explicit BarsInPicture(ViewArea& views, SceneView* view = nullptr);
  ~BarsInPicture();
  BarsInPicture(const BarsInPicture&) = delete;
  BarsInPicture& operator=(const BarsInPicture&) = delete;

 private:
  SceneView* view_ = nullptr;
};

}  // namespace sulcus::ui::widgets
