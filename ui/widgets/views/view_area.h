#pragma once

#include "ui/model/layers/image_overlay.h"
#include "ui/model/session/session_state.h"
#include "ui/widgets/views/compare_page.h"
#include "ui/widgets/views/lightbox_view.h"
#include "ui/widgets/views/view_grid.h"

#include <functional>

class QStackedWidget;

namespace sulcus::ui::widgets {

class ColorBarStrip;
class ViewStrip;

/// The linked views in their layouts, that of comparisons among them, and the strip above them.
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
  bool canCompare() const { return compare_->isFilled(); }

  /// The compare layout.
  ComparePage& comparePage() { return *compare_; }
  const ComparePage& comparePage() const { return *compare_; }
  /// Fills the compare layout and shows it.
  void showComparison(const model::ComparedPtr& comparison);
  /// The plane of the compare layout; in other layouts that view, maximized.
  void showPlane(model::Plane plane);
  /// The layout of the lightbox.
  const model::LightboxLook& lightboxLook() const { return lightbox_->look(); }
  void setLightboxLook(const model::LightboxLook& look);
  const scene::Styles& styles() const { return styles_; }
  /// How all views draw, e.g. `[](scene::Styles& all) { all.planesBesideSurfaces = true; }`.
  void changeStyles(const std::function<void(scene::Styles&)>& change);
  /// Also shows all glyphs again.
  void resetCameras();
  void lookFrom(char side);

  /// The slices and the 3D view, which may be in windows of their own.
  ViewGrid& grid() const { return *grid_; }
  SliceView* slice(model::Plane plane) { return grid_->slice(plane); }
  View3d* scene() { return grid_->scene(); }
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
  /// All views on screen with the color bars next to them, as on screen: a wider picture.
  QImage screenshotWithBars(int scale);
  /// Updates what is on screen at once, at the highest quality: for pictures.
  void finishDrawing();

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
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QImage drawnViews(int scale) const;
  void makeGrid();
  void makeLightbox();
  void makeCompare();
  ViewStrip* makeStrip();
  std::vector<SceneView*> allViews() const;
  /// The 3D view that determines the camera of all of them: one on screen, if any is.
  View3d* leadingScene() const;
  /// Whether a layout shows one view alone, which is in a window.
  bool hasWindow(ViewLayout layout) const;
  /// Shows a view alone, or the previous layout.
  void toggleAlone(ViewLayout alone);
  /// The plane of the slices in front.
  model::Plane planeShown() const;
  void updateVisible();
  void showInStrip();

  model::LayerStack& layers_;
  model::ViewState& view_;
  model::ImageOverlay& pair_;
  ViewLayout layout_ = ViewLayout::grid;
  ViewLayout before_ = ViewLayout::grid;  ///< before one view was shown alone
  scene::Styles styles_;
  ViewStrip* strip_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  ColorBarStrip* bars_ = nullptr;
  ViewGrid* grid_ = nullptr;
  LightboxView* lightbox_ = nullptr;
  ComparePage* compare_ = nullptr;
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
