#pragma once

#include "ui/widgets/export/picture_style.h"
#include "ui/widgets/views/render_scheduler.h"

#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>

#include <vtkNew.h>

class QVTKInteractor;
class QVTKRenderWindowAdapter;
class vtkGenericOpenGLRenderWindow;
class vtkRenderWindow;

namespace sulcus::ui::widgets {

/// What VTK draws, as a widget. It is drawn off screen and then painted like any other widget: were it an
/// OpenGL widget, Qt would put the whole window together by OpenGL whenever a label changes, which without a
/// GPU takes longer than the drawing. Drawing is requested, not done: however often scheduleRender() is
/// called, the scene is drawn once, when it is this canvas' turn. Until then it shows what it showed.
class Canvas : public QWidget {
  Q_OBJECT
 public:
  /// `turns` must outlive it.
  explicit Canvas(RenderScheduler& turns, QWidget* parent = nullptr);
  ~Canvas() override;
  /// `draw` brings the scene up to date and renders it; true asks for another frame.
  void setDraw(std::function<bool()> draw) { draw_ = std::move(draw); }
  /// `take` notes what is to be drawn: it is called for all canvases before the first of them draws, so that
  /// they show the same.
  void setTake(std::function<void()> take) { take_ = std::move(take); }
  /// `release` gives back what the scene holds of what was closed; its OpenGL context is current. True where
  /// nothing is left to show: that is drawn, too, since OpenGL keeps what its last picture was made of.
  void setLetGo(std::function<bool()> release) { release_ = std::move(release); }

  vtkRenderWindow* renderWindow() const;
  QVTKInteractor* interactor() const;
  /// The OpenGL context, which is there since the first drawing.
  void makeCurrent();
  void doneCurrent() { context_.doneCurrent(); }

  /// Starts OpenGL for a canvas that someone could see; false when that was done before, or cannot be.
  bool startUp() { return !adapter_ && isVisible() && prepare(); }
  void scheduleRender();
  /// Schedules what a closed layer needs: a hidden canvas releases it once the window is idle.
  void releaseWhenIdle();
  /// Drops the last picture of a hidden view: it shows what is no longer there, perhaps of another
  /// participant, and would be seen for a moment when the canvas is shown again.
  void forgetUnseen();
  /// Draws and shows it before returning: what a hand waits for at this very place.
  void drawAtOnce();
  void take() const;
  /// Draws, for the next paint to show, if there is something new and someone could see it. True when it
  /// drew.
  bool drawIfStale();
  /// Whether a picture has been on screen.
  bool everShown() const { return everShown_; }
  /// Whether the processor draws; known since the first drawing.
  bool inSoftware() const { return inSoftware_; }
  /// Whether a picture is being made: then everything is drawn, however long it takes.
  bool isStill() const { return still_; }
  /// Draws once more as soon as nothing was drawn for a moment, with isAtRest(): for a scene that leaves
  /// things out to be quick.
  void drawWholeAtRest() { rest_.start(); }
  bool isAtRest() const { return atRest_; }
  /// Draws in its next turn what waits for that moment.
  void restNow();
  /// The scene at `scale` times the size on screen, text and lines included. Needs a widget that was shown.
  QImage screenshot(int scale);
  /// A screenshot over another background, or without annotations. Needs a widget that was shown.
  QImage screenshot(const PictureStyle& style);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void beAtRest();
  /// Copies what was drawn into a picture, which keeps its memory when it has that size already.
  void copyTo(QImage& picture) const;
  QImage drawnInStyle(const PictureStyle& style);
  bool prepare();
  bool drawNow();
  QImage drawn() const;

  RenderScheduler& turns_;
  std::function<bool()> draw_, release_;
  std::function<void()> take_;
  QOpenGLContext context_;
  QOffscreenSurface surface_;
  vtkNew<vtkGenericOpenGLRenderWindow> window_;
  std::unique_ptr<QVTKRenderWindowAdapter> adapter_;  ///< since there is a context
  QImage picture_;
  QTimer rest_;
  bool inSoftware_ = false, atRest_ = false;
  bool stale_ = true, everShown_ = false, still_ = false;
};

}  // namespace sulcus::ui::widgets
