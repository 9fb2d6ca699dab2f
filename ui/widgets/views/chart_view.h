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

/// Charts over each other, in the colors of the window: the wheel zooms (on an axis only that one), a drag
/// moves, a double click shows all again, the pointer asks for values; a click on a point that is of a place
/// in the scan moves the crosshair there.
class ChartView : public QWidget {
  Q_OBJECT
 public:
  /// It takes turns at drawing with the views of this state, which must outlive it.
  explicit ChartView(model::ViewState& view, QWidget* parent = nullptr);
  ~ChartView() override;

  /// Shows these charts, see ChartScene::setCharts().
  void setCharts(std::vector<scene::NamedChart> charts, bool keepZoom);
  bool zoomed() const;
  void resetZoom();
  /// What is under a place of this widget, as the tooltip says it.
  QString textAt(QPointF place) const;
  /// The charts as they are on screen, at `scale` times the size.
  QImage screenshot(int scale = 1);
  /// As screenshot(), on white whatever the window looks like: for papers.
  QImage printed(int scale);
  /// As SVG, on white; throws Error where it cannot be made. Needs a widget that was shown.
  QByteArray svg();
  /// As printed(), fine enough for print, as one page of PDF.
  QByteArray pdf();

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void takePalette();
  /// A place of this widget in pixels of the scene, from its lower left corner.
  QPointF sceneAt(QPointF place) const;

  model::ViewState& view_;
  Canvas* canvas_ = nullptr;
  std::unique_ptr<scene::ChartScene> scene_;
  QPointF pressed_, last_;
  bool dragging_ = false;
};

}  // namespace sulcus::ui::widgets
