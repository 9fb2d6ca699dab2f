#pragma once

#include "ui/model/session/session_state.h"
#include "ui/widgets/views/slice_view.h"
#include "ui/widgets/views/view_3d.h"
#include "ui/widgets/views/view_layout.h"

#include <array>
#include <vector>

namespace sulcus::ui::widgets {

/// The three slices and the 3D view: all of them, or one alone. Each can be in a separate window instead, and
/// slices can be unlinked. Views are numbered by their plane, 3 for the 3D view.
class ViewGrid : public QWidget {
  Q_OBJECT
 public:
  /// All must outlive this. `pair`: two overlaid images.
  ViewGrid(model::LayerStack& layers, model::ViewState& view, model::ImageOverlay& pair,
           QWidget* parent = nullptr);

  SliceView* slice(model::Plane plane) const { return slices_[std::size_t(plane)]; }
  View3d* scene() const { return scene_; }
  std::vector<SceneView*> allViews() const;
  /// Shows the views that a layout has; those in windows remain there.
  void arrange(ViewLayout layout);
  /// The views that the layout shows here, in reading order.
  std::vector<SceneView*> shownViews() const;

  /// Moves a view to a separate window, at `place` on the screen, or back. One always stays.
  void setDetached(int view, bool on, const QRect& place = {});
  bool isDetached(int view) const { return windows_[std::size_t(view)] != nullptr; }
  bool canDetach(int view) const;
  /// Brings the window of a view to the front.
  void raiseWindowOf(int view);
  void setWindowsVisible(bool on);
  std::vector<model::DetachedView> detachedViews() const;

  /// Unlinks the slice that last had the keyboard focus from the others, or links it again.
  void toggleLink();
  /// The slice that last had the keyboard focus.
  SliceView* activeSlice() const { return active_; }
  std::vector<model::UnlinkedView> unlinkedViews() const;
  void setUnlinkedViews(const std::vector<model::UnlinkedView>& views);

 signals:
  void hovered(Vec3<double> world);
  void left();  ///< the pointer left a slice
  void menuRequested(const QPoint& globalPosition, Vec3<double> world);
  void doubleClicked(int view);
  void detached(QWidget* window);  ///< a view is now in this window
  void detachedChanged();          ///< a view was moved to a window, or back
  void linksChanged();             ///< or another slice is active

 private:
  SceneView* view(int number) const;
  /// Whether the layout has a place here for a view.
  bool isShown(int view) const;
  void place();

  ViewLayout layout_ = ViewLayout::grid;
  std::array<QWidget*, 4> windows_{};  ///< of the views that are in one
  std::array<SliceView*, 3> slices_{};
  SliceView* active_ = nullptr;
  View3d* scene_ = nullptr;
};

}  // namespace sulcus::ui::widgets
