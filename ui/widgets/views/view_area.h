#pragma once

#include "ui/model/layers/image_overlay.h"
#include "ui/model/session/session_state.h"
#include "ui/widgets/views/compare_page.h"
#include "ui/widgets/views/view_layout.h"
#include "ui/widgets/views/view_windows.h"

#include <QImage>
#include <QWidget>
#include <vector>

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
  const ViewStyles& styles() const { return styles_; }
  /// Also shows all glyphs again.
  void resetCameras();
  /// How all views draw fiber directions.
  void setGlyphStyle(const scene::GlyphStyle& style);
  /// How all views draw displacement fields.
  void setFieldStyle(const scene::FieldStyle& style);
  /// The background of all 3D views, and their light.
  void setSceneStyle(const scene::SceneStyle& style);
  void lookFrom(char side);
  /// Whether 3D views show images together with surfaces.
  void setPlanesBesideSurfaces(bool on);

  /// Moves a view, given by its plane or 3 for the 3D view, to a separate window, at `place` on the screen,
  /// or back. One always stays.
  void setDetached(int view, bool on, const QRect& place = {});
  bool isDetached(int view) const { return windows_.has(view); }
  bool canDetach(int view) const { return isDetached(view) || windows_.count() < 3; }
  /// The detached views, with their positions.
  std::vector<model::DetachedView> detachedViews() const { return windows_.places(); }
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
  ViewStrip* makeStrip();
  QWidget* makeGrid();
  void makeCompare();
  /// The three slices and the 3D view.
  SceneView* mainView(int view) const;
  /// Whether the layout has a place for one of them.
  bool isInLayout(int view) const;
  std::vector<View3d*> allScenes() const;
  /// All views.
  std::vector<SceneView*> allViews() const;
  /// Shows a view alone, or the previous layout.
  void toggleAlone(ViewLayout alone);
  void placeViews();
  /// The plane of the slices in front.
  model::Plane planeShown() const;
  void updateVisible();
  void showInStrip();

  model::LayerStack& layers_;
  model::ViewState& view_;
  model::ImageOverlay& pair_;
  ViewLayout layout_ = ViewLayout::grid;
  ViewLayout before_ = ViewLayout::grid;  ///< before one view was shown alone
  ViewStyles styles_;
  ViewWindows windows_{*this};
  ViewStrip* strip_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  ColorBarStrip* bars_ = nullptr;
  SliceView* slices_[3] = {};
  SliceView* active_ = nullptr;
  View3d* scene_ = nullptr;
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
