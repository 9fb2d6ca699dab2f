#pragma once

#include "ui/model/session/session_state.h"

#include <QRect>
#include <QWidget>
#include <array>
#include <functional>
#include <vector>

namespace sulcus::ui::widgets {

/// The separate windows of views that were moved out of the view area. Views are numbered by their plane, 3
/// for the 3D view.
class ViewWindows {
 public:
  /// `owner` must outlive this: the parent of the windows.
  explicit ViewWindows(QWidget& owner) : owner_(owner) {}

  bool has(int view) const { return windows_[view] != nullptr; }
  int count() const;
  /// Moves a view to a window of its own, hidden as yet, at `place` on the screen. `close` is called when the
  /// user closes it.
  QWidget* open(int view, QWidget* content, const QRect& place, std::function<void()> close);
  /// Removes a window whose view has been given another parent.
  void close(int view);
  void raise(int view);
  void setVisible(bool on);
  std::vector<model::DetachedView> places() const;

 private:
  QWidget& owner_;
  std::array<QWidget*, 4> windows_{};
};

}  // namespace sulcus::ui::widgets
