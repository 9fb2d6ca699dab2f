#pragma once

#include "core/math/vec3.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

class QHelpEvent;

namespace sulcus::ui::model {
class ImageOverlay;
}
namespace sulcus::ui::scene {
class Scene;
struct Styles;
}  // namespace sulcus::ui::scene

namespace sulcus::ui::widgets {

class Canvas;
class SceneLayers;

/// A view: a VTK scene, the canvas on which it is drawn, and the layers that it is given.
class SceneView : public QWidget {
  Q_OBJECT
 public:
  ~SceneView() override;

  void setStyles(const scene::Styles& styles);
  /// Two overlaid images; `pair` must outlive this.
  void setImageOverlay(model::ImageOverlay* pair);
  /// Draws only these layers (compare layout); none: all visible ones.
  void setShownLayers(std::optional<std::vector<model::LayerId>> ids);
  /// A line at the top of the view, e.g. "CPU".
  void setTitle(const QString& title);
  /// Whether it draws color bars; initially it does.
  void setBars(bool on);
  /// Begins with the initial number of glyphs again, although frames were slow.
  void showAllGlyphs();
  /// The view as it is on screen, at `scale` times its size.
  QImage screenshot(int scale = 1);

 signals:
  void hovered(Vec3<double> world);
  void left();  ///< the pointer left
  /// A right click without dragging: asks what can be done at this position, mm RAS+.
  void menuRequested(const QPoint& globalPosition, Vec3<double> world);
  void doubleClicked();

 protected:
  /// `layers` and `view` must outlive it. A constructor of a view makes its scene.
  SceneView(model::LayerStack& layers, model::ViewState& view, QWidget* parent);
  /// Takes ownership of the scene and returns it with its own type.
  template <class Kind>
  Kind& adopt(std::unique_ptr<Kind> scene) {
    Kind& kept = *scene;
    owned_ = std::move(scene);
    return kept;
  }
  /// Passes the scene what it needs besides layers and styles.
  virtual void updateScene() = 0;
  /// An event of the canvas; returns whether it goes no further.
  virtual bool handle(QEvent& event);
  bool eventFilter(QObject* watched, QEvent* event) final;
  /// Passes the scene its layers if they have changed.
  void handLayers();

  model::LayerStack& layers_;
  model::ViewState& view_;
  model::ImageOverlay* pair_ = nullptr;
  Canvas* canvas_;  ///< fills the view
  SceneLayers* sceneLayers_;
  QString title_;
  bool bars_ = true;

 private:
  bool draw();
  /// Shows the warning whose sign is under the mouse; false if there is none.
  bool showTip(const QHelpEvent& event) const;

  std::unique_ptr<scene::Scene> owned_;
};

}  // namespace sulcus::ui::widgets
