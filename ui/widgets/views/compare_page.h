#pragma once

#include "ui/model/runs/run_controller.h"
#include "ui/scene/styles.h"
#include "ui/widgets/views/slice_view.h"
#include "ui/widgets/views/view_3d.h"

#include <vector>

namespace sulcus::ui::widgets {

/// The compare layout: first | second | difference, or before | first | second in 3D. Its views are made at
/// the first comparison.
class ComparePage : public QWidget {
  Q_OBJECT
 public:
  /// All must outlive this; `styles` are those of the views when they are made.
  ComparePage(model::LayerStack& layers, model::ViewState& view, const scene::Styles& styles,
              QWidget* parent = nullptr);

  bool isFilled() const { return comparison_ != nullptr; }
  /// Surfaces are shown in 3D, everything else as slices, until the user changes it.
  void fill(const model::ComparedPtr& comparison);
  /// Empties it; cleared() follows.
  void clear();
  /// Shows the compared runs under their current titles.
  void refresh();
  /// Three slices or three 3D views.
  void setIn3d(bool on);
  bool isIn3d() const { return in3d_; }
  /// The plane of the slices.
  void setPlane(model::Plane plane);
  model::Plane plane() const { return plane_; }
  /// Makes visible what isIn3d() says.
  void updateVisible();
  /// The three slices or the three 3D views, in reading order.
  std::vector<SceneView*> shownViews() const;
  /// All views; none before the first comparison.
  std::vector<SceneView*> allViews() const;
  const std::vector<View3d*>& scenes() const { return scenes_; }

  /// The shorter side of a view in this much room.
  static int viewSide(QSize room);
  /// The shorter side below which the views are too small to be useful, pixels.
  static constexpr int kLeastSide = 180;

 signals:
  void hovered(Vec3<double> world);
  void left();                                                           ///< the pointer left a view
  void menuRequested(const QPoint& globalPosition, Vec3<double> world);  ///< a right click without dragging
  void changed();                                                        ///< another plane, or slices for 3D
  void cleared();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeViews();
  /// Arranges the three views in a row, or the third below the others if a row of this size would make them
  /// too narrow.
  void place(QSize room);
  void showLayers();
  /// What is below both results: the first input that is a scan, not a color map; or nothing.
  std::vector<model::LayerId> anatomy() const;
  /// With what a run shows by itself on top: the layers that request to be visible, or its first one.
  std::vector<model::LayerId> above(std::vector<model::LayerId> base,
                                    const std::vector<model::LayerId>& ofRun) const;
  QString differenceTitle(const model::LayerState& difference) const;

  model::LayerStack& layers_;
  model::ViewState& view_;
  const scene::Styles& styles_;
  model::ComparedPtr comparison_;
  model::Plane plane_ = model::Plane::axial;
  bool in3d_ = false, comparedSurfaces_ = false;
  std::vector<SliceView*> slices_;
  std::vector<View3d*> scenes_;
};

}  // namespace sulcus::ui::widgets
