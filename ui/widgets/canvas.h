#pragma once

#include <QImage>
#include <functional>

#include <QVTKOpenGLNativeWidget.h>

namespace sulcus::ui {

/// The OpenGL surface of a view. Drawing is asked for, not done: however often drawSoon() is called within
/// one turn of the event loop, the scene is drawn once, when Qt paints.
class Canvas : public QVTKOpenGLNativeWidget {
  Q_OBJECT
 public:
  /// `draw` brings the scene up to date and renders it; true asks for another frame.
  explicit Canvas(QWidget* parent = nullptr);
  void setDraw(std::function<bool()> draw) { draw_ = std::move(draw); }

  void drawSoon();
  /// The scene at `scale` times the size on screen, text and lines included. Needs a widget that was shown.
  QImage screenshot(int scale);

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  bool drawNow();

  std::function<bool()> draw_;
  bool stale_ = true;
};

}  // namespace sulcus::ui
