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

/// The brush for painting.
struct Brush {
  bool on = false;    ///< the left button paints in slices instead of moving the crosshair
  Label label = 1;    ///< 1 or more
  double radius = 4;  ///< mm
  bool ball = false;  ///< also in the neighboring slices
  bool erases = false;

  friend bool operator==(const Brush&, const Brush&) = default;
};

/// Regions that are painted on layers of labels, and the ruler. Every stroke gives its layer new content,
/// which undo reverts. Lives on the UI thread.
class RegionTools : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  RegionTools(LayerStack& layers, ViewState& view, QObject* parent = nullptr);

  const Brush& brush() const { return brush_; }
  void setBrush(const Brush& brush);
  /// The layer that is painted on: the current one, else the topmost one with labels; 0: none, the first
  /// stroke creates one.
  LayerId target() const;
  /// The current image, else the topmost visible one, else the topmost: new labels have its grid; 0: none.
  LayerId image() const;

  /// Continues a stroke, or begins one, to a point in mm. `across`: the unit normal of the slice that is
  /// painted on. It is shown at once, or with a short delay if the labels are large.
  void strokeTo(const Vec3<double>& place, const Vec3<double>& across);
  void endStroke();
  /// Adds a ball of the brush's label, e.g. at the crosshair.
  void addBall(const Vec3<double>& center, double radius);

  /// A function that makes a table layer of the regions of the target in image(); null without both. For
  /// workers.
  std::function<LayerPtr()> statistics() const;

  /// Where the ruler begins; it ends at the crosshair.
  const std::optional<Vec3<double>>& rulerFrom() const { return rulerFrom_; }
  void setRuler(std::optional<Vec3<double>> from);
  /// mm; 0 without a ruler.
  double rulerLength() const;

 signals:
  void brushChanged();
  void rulerChanged();  ///< where it begins or ends, or whether it exists

 private:
  using Labels = std::shared_ptr<const Volume<Label>>;
  void paintOn(const BrushStroke& stroke);
  /// Passes what has been painted since the last call to the layer.
  void give();
  LayerId ensureTarget();

  LayerStack& layers_;
  ViewState& view_;
  Brush brush_;
  std::optional<Vec3<double>> last_;  ///< last point of the current stroke
  /// Labels are copied when painting continues after they were passed to their layer, which is slow for large
  /// ones: so these are passed on less often.
  std::shared_ptr<Volume<Label>> painted_;
  Labels before_;          ///< what painted_ was made from
  LayerId paintedOn_ = 0;  ///< the layer of these labels
  bool isNew_ = false;     ///< painted_ differs from before_
  qint64 copying_ = 0;     ///< duration of the last copy, ms
  QElapsedTimer sinceGiven_;
  QTimer giving_;
  std::optional<Vec3<double>> rulerFrom_;
};

}  // namespace sulcus::ui::model
