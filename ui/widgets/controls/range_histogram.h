#pragma once

#include "core/image/layer.h"

#include <QWidget>
#include <optional>
#include <vector>

namespace sulcus::ui::widgets {

/// A histogram with draggable handles: two for the range of the colors, and one for each threshold that hides
/// values. It shows and edits them, but does not own a layer's data.
class RangeHistogram : public QWidget {
  Q_OBJECT
 public:
  explicit RangeHistogram(QWidget* parent = nullptr);

  /// The positions of the handles.
  struct Marks {
    Range range;
    std::optional<double> below, above;  ///< smaller and larger values are hidden
    friend bool operator==(const Marks&, const Marks&) = default;
  };
  /// The values to be counted; those that are not numbers are left out.
  void setValues(std::vector<float> values);
  void setMarks(const Marks& marks);
  const Marks& marks() const { return marks_; }
  /// The position of a value, in pixels.
  double pixelOf(double value) const;
  double valueAt(double pixel) const;
  /// The heights of the bars in this many columns, 0…1.
  std::vector<double> bars(int columns) const;

 signals:
  /// The user moved a handle: marks() has the new positions.
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
