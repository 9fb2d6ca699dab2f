#pragma once

#include "core/image/layer.h"

#include <QWidget>
#include <optional>
#include <vector>

namespace sulcus::ui::widgets {

/// How often values occur, with handles that are dragged: two for the range of the colors, and one for each
/// threshold that hides values. Shows and edits; owns nothing of a layer.
class RangeHistogram : public QWidget {
  Q_OBJECT
 public:
  explicit RangeHistogram(QWidget* parent = nullptr);

  /// Where the handles stand.
  struct Marks {
    Range range;
    std::optional<double> below, above;  ///< smaller and larger values are hidden
    friend bool operator==(const Marks&, const Marks&) = default;
  };
  /// The values that are counted; such as are no numbers are left out.
  void setValues(std::vector<float> values);
  void setMarks(const Marks& marks);
  const Marks& marks() const { return marks_; }
  /// Where a value stands, in pixels.
  double pixelOf(double value) const;
  double valueAt(double pixel) const;
  /// How high a bar stands in each of so many columns, 0…1.
  std::vector<double> bars(int columns) const;

 signals:
  /// A handle was moved by hand: marks() says where to.
  void moved();

 protected:
  QSize sizeHint() const override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  enum class Handle { none, low, high, below, above };
  Handle handleAt(QPointF place) const;
  void widen();

  std::vector<float> values_;  ///< ascending
  Range span_;
  Marks marks_;
  Handle held_ = Handle::none;
};

}  // namespace sulcus::ui::widgets
