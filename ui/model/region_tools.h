#pragma once

#include "core/image/label_paint.h"
#include "ui/model/layer_stack.h"
#include "ui/model/view_state.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace sulcus::ui::model {

/// What a hand paints with.
struct Brush {
  bool on = false;         ///< the left button paints in slices, instead of moving the crosshair
  std::int32_t label = 1;  ///< 1 or more
  double radius = 4;       ///< mm
  bool ball = false;       ///< in the slices beside, too
  bool erases = false;

  friend bool operator==(const Brush&, const Brush&) = default;
};

/// Regions that are painted on layers of labels, and the ruler. Every stroke gives its layer new content,
/// which undo takes back. Lives on the UI thread.
class RegionTools : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  RegionTools(LayerStack& layers, ViewState& view, QObject* parent = nullptr);

  const Brush& brush() const { return brush_; }
  void setBrush(const Brush& brush);
  /// The layer that is painted on: the current one, else the top one of those that hold labels; 0: none, the
  /// first stroke makes one.
  LayerId target() const;
  /// The current image, else the uppermost that is seen, else the uppermost: its grid is that of new labels;
  /// 0: none.
  LayerId image() const;

  /// Goes on with a stroke, or begins one, to a place in mm. `across`: the unit normal of the slice that is
  /// painted on.
  void strokeTo(const Vec3<double>& place, const Vec3<double>& across);
  void endStroke() { last_.reset(); }
  /// A ball of the brush's label, e.g. at the crosshair.
  void addBall(const Vec3<double>& centre, double radius);

  /// What makes a table layer of the regions of the target in image(); null without
  /// both. For workers.
  std::function<LayerPtr()> statistics() const;

  /// Where the ruler begins; it ends at the crosshair.
  const std::optional<Vec3<double>>& rulerFrom() const { return rulerFrom_; }
  void setRuler(std::optional<Vec3<double>> from);
  /// mm; 0 without a ruler.
  double rulerLength() const;

 signals:
  void brushChanged();
  void rulerChanged();  ///< where it begins or ends, or whether it is there

 private:
  void paintOn(const BrushStroke& stroke);
  LayerId madeTarget();

  LayerStack& layers_;
  ViewState& view_;
  Brush brush_;
  std::optional<Vec3<double>> last_;  ///< of the stroke that goes on
  std::optional<Vec3<double>> rulerFrom_;
};

}  // namespace sulcus::ui::model
