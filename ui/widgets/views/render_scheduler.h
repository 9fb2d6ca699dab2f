#pragma once

#include "ui/model/views/view_state.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <vector>

namespace sulcus::ui::widgets {

class Canvas;

/// Draws the canvases that are stale one in each turn of the event loop, so that the window answers between
/// them; then shows all that were drawn together. A child of the ViewState that the views share.
class RenderScheduler : public QObject {
  Q_OBJECT
 public:
  explicit RenderScheduler(QObject* parent);
  /// The one of a view state, made on the first call.
  static RenderScheduler& of(model::ViewState& view);

  /// Lets `canvas`, which has something new to show, be drawn when its turn comes.
  void add(Canvas* canvas);
  /// Whether every canvas shows all it has.
  bool idle() const { return !turn_.isActive(); }
  /// Milliseconds since any canvas was drawn last.
  qint64 sinceDrawn() const { return drawnLast_.isValid() ? drawnLast_.elapsed() : 0; }
  /// Draws at once until every view shows all it has: for pictures.
  void finish();

 signals:
  void allDrawn();  ///< every canvas is up to date, and hidden ones have released closed layers

 private:
  void drawNext();

  QTimer turn_;
  QElapsedTimer drawnLast_;
  bool asked_ = false, waited_ = false;
  std::vector<QPointer<Canvas>> waiting_, round_, drawn_;
};

}  // namespace sulcus::ui::widgets
