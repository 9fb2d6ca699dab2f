#pragma once

#include "ui/model/views/view_state.h"
#include "ui/scene/charts/named_chart.h"

#include <QImage>
#include <QPointF>
#include <QWidget>
#include <memory>
#include <vector>

namespace sulcus::ui::scene {
class ChartScene;
}

namespace sulcus::ui::widgets {

class Canvas;

/// Overlaid charts, in the colors of the window: the wheel zooms (on an axis only that one), dragging pans, a
/// double click resets, hovering shows values; a click on a point with a position in the scan moves the
/// crosshair there, one on a cell of a matrix of pairs chooses it, and one on a point with an image of its
/// own asks to show that image.
class ChartView : public QWidget {
  Q_OBJECT
 public:
  /// Its drawing is scheduled together with the views of this state, which must outlive it.
  explicit ChartView(model::ViewState& view, QWidget* parent = nullptr);
  ~ChartView() override;

  /// Shows these charts, see ChartScene::setCharts().
  void setCharts(std::vector<scene::NamedChart> charts, bool keepZoom);
  bool zoomed() const;
  void resetZoom();
  /// What is at a position of this widget, as in the tool tip.
  QString textAt(QPointF place) const;
  /// The charts as they are on screen, at `scale` times the size.
  QImage screenshot(int scale = 1);
  /// The charts on white, at `scale` times the size: for papers.
  QImage printed(int scale);
  /// As SVG, on white; throws Error if it cannot be made. The widget must have been shown.
  QByteArray svg();
  /// The charts on white, at print resolution, as one page of PDF.
  QByteArray pdf();

 signals:
  /// A cell of a matrix of pairs was clicked.
  void pairChosen(const QString& first, const QString& second);
  void subjectClicked(const sulcus::Chart::Subject& subject);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void takePalette();
  void zoomAt(QPointF place, double factor);
  void drag(const QMouseEvent& mouse);
  void hover(const QMouseEvent& mouse);
  void click(QPointF place);
  /// Returns whether the key does something.
  bool pressKey(int key);

  model::ViewState& view_;
  Canvas* canvas_ = nullptr;
  std::unique_ptr<scene::ChartScene> scene_;
  QPointF pressed_, last_;
  bool dragging_ = false;
};

}  // namespace sulcus::ui::widgets
