#pragma once

#include "ui/model/views/view_state.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <vector>

namespace sulcus::ui::widgets {

class Canvas;

/// Draws one stale canvas in each turn of the event loop, so that the window stays responsive; then shows all
/// that were drawn together. A child of the ViewState that the views share.
class RenderScheduler : public QObject {
  Q_OBJECT
 public:
  explicit RenderScheduler(QObject* parent);
  /// The scheduler of a view state, created on the first call.
  static RenderScheduler& of(model::ViewState& view);

  /// Schedules `canvas`, which has something new to show.
  void add(Canvas* canvas);
  /// Whether every canvas is up to date.
  bool idle() const { return !turn_.isActive(); }
  /// Milliseconds since any canvas was last drawn.
  qint64 sinceDrawn() const { return drawnLast_.isValid() ? drawnLast_.elapsed() : 0; }
  /// Draws at once until every view is up to date: for pictures.
  void finish();

 signals:
  void allDrawn();  ///< every canvas is up to date, and hidden ones have released closed layers

 private:
  void drawNext();
  void showDrawn();
  void beginRound();

  QTimer turn_;
  QElapsedTimer drawnLast_;
  bool asked_ = false, waited_ = false;
  std::vector<QPointer<Canvas>> waiting_, round_, drawn_;
};

}  // namespace sulcus::ui::widgets
