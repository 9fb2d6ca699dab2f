#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/slices/lines_2d.h"
#include "ui/scene/slices/slice_camera.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// Breaks each line of `text` between words if it would be wider than `room`, as measured by `width`.
std::string brokenText(const std::string& text, int room,
                       const std::function<int(const std::string&)>& width);

/// Text and lines drawn over a view, in pixels; sizes follow the window's DPI. Owned by a scene, UI thread.
class Annotations {
 public:
  /// `renderer` must outlive it.
  explicit Annotations(vtkRenderer* renderer);

  enum class Corner { top, bottom, left, right, topLeft, bottomLeft, bottomRight, lowerLeft, warning };
  /// Text at a position on the border; an empty one removes it. For a warning only a sign is drawn, which
  /// does not cover the image.
  void setText(Corner corner, const std::string& text);
  /// Two lines that cross at a pixel, with a gap around it; none hides them.
  void setCrosshair(std::optional<Vec3<double>> pixel);
  /// The vertical edge between two images, in pixels from the left; none hides it.
  void setEdge(std::optional<double> x) { edgeAt_ = x; }
  /// The pixels that a one-line title takes at the upper border.
  static int titleHeight(int dpi) { return 30 * dpi / 72; }
  /// How much higher the text at the middle and right of the lower border is placed in views so narrow, in
  /// points, that the text on the left would reach it.
  static double raiseAt(double points) { return points < 172 ? 18 : 0; }
  /// Positions everything in a view of this size; the sign of a warning is `raised` points above its usual
  /// position.
  void layOut(int width, int height, double raised = 0);
  /// The warning whose sign is at this pixel; else "".
  std::string warningAt(double x, double y) const;

 private:
  vtkTextActor* shown(Corner corner) const;
  std::function<int(const std::string&)> widthIn(vtkTextActor* actor) const;
  /// Pixels that the longest line of the title takes.
  int titleWidth() const;
  void layOutLines(int width, int height, double unit);
  /// Breaks the lines at a corner where this is allowed.
  void breakLines(Corner corner, int room);

  vtkRenderer* renderer_;
  std::map<Corner, Shown<vtkTextActor>> texts_;
  std::string warning_;  ///< the text behind the sign
  /// A text before its lines are broken, the width in pixels for which they were broken, and their number.
  struct Whole {
    std::string text;
    int room = 0, lines = 1;
  };
  std::map<Corner, Whole> whole_{{Corner::topLeft, {}}, {Corner::lowerLeft, {}}};
  Lines2d cross_, edge_;
  std::optional<Vec3<double>> crosshair_;
  std::optional<double> edgeAt_;
};

}  // namespace sulcus::ui::scene
