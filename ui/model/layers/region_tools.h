#pragma once

#include "core/image/labels/label_paint.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

namespace sulcus::ui::model {

/// What a hand paints with.
struct Brush {
  bool on = false;    ///< the left button paints in slices, instead of moving the crosshair
  Label label = 1;    ///< 1 or more
  double radius = 4;  ///< mm
  bool ball = false;  ///< in the slices beside, too
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
  /// painted on. It shows at once, or a little later where the labels are large.
  void strokeTo(const Vec3<double>& place, const Vec3<double>& across);
  void endStroke();
  /// A ball of the brush's label, e.g. at the crosshair.
  void addBall(const Vec3<double>& center, double radius);

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
  using Labels = std::shared_ptr<const Volume<Label>>;
  void paintOn(const BrushStroke& stroke);
  /// Gives the layer what has been painted since it was last given.
  void give();
  LayerId madeTarget();

  LayerStack& layers_;
  ViewState& view_;
  Brush brush_;
  std::optional<Vec3<double>> last_;  ///< of the stroke that goes on
  /// Labels are copied when the hand moves on after their layer was given some, which takes long for large
  /// ones: so these are given less often.
  std::shared_ptr<Volume<Label>> painted_;
  Labels before_;          ///< what painted_ was made of
  LayerId paintedOn_ = 0;  ///< whose labels these are
  bool isNew_ = false;     ///< painted_ is not what before_ is
  qint64 copying_ = 0;     ///< ms that the last copy took
  QElapsedTimer sinceGiven_;
  QTimer giving_;
  std::optional<Vec3<double>> rulerFrom_;
};

}  // namespace sulcus::ui::model
