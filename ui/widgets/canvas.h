#pragma once

#include "ui/widgets/draw_turns.h"

#include <QImage>
#include <functional>

#include <QVTKOpenGLNativeWidget.h>

namespace sulcus::ui::widgets {

/// The OpenGL surface of a view. Drawing is asked for, not done: however often drawSoon() is called, the
/// scene is drawn once, when it is this canvas' turn. Until then it shows what it showed, as large as it is
/// now.
class Canvas : public QVTKOpenGLNativeWidget {
  Q_OBJECT
 public:
  /// `turns` must outlive it.
  explicit Canvas(DrawTurns& turns, QWidget* parent = nullptr);
  /// `draw` brings the scene up to date and renders it; true asks for another frame.
  void setDraw(std::function<bool()> draw) { draw_ = std::move(draw); }

  void drawSoon();
  /// Draws, for the next paint to show, if there is something new and someone could see it. True when it
  /// drew.
  bool drawIfStale();
  /// Whether a picture has been on screen since there is an OpenGL context.
  bool everShown() const { return everShown_; }
  /// Whether the processor draws; known when there is an OpenGL context.
  bool inSoftware() const { return inSoftware_; }
  /// The scene at `scale` times the size on screen, text and lines included. Needs a widget that was shown.
  QImage screenshot(int scale);

 protected:
  void initializeGL() override;
  void paintGL() override;
  void showEvent(QShowEvent* event) override;

 private:
  bool drawNow();

  DrawTurns& turns_;
  std::function<bool()> draw_;
  bool inSoftware_ = false;
  bool stale_ = true, everDrawn_ = false, everShown_ = false;
};

}  // namespace sulcus::ui::widgets
