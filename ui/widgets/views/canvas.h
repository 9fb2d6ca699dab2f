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

/// The output of VTK as a widget. It is drawn off screen and then painted like any other widget: as an OpenGL
/// widget, Qt would compose the whole window with OpenGL whenever a label changes, which without a GPU takes
/// longer than the drawing. Drawing is scheduled, not immediate: however often scheduleRender() is called,
/// the scene is drawn once, when it is this canvas's turn. Until then the previous picture is shown.
class Canvas : public QWidget {
  Q_OBJECT
 public:
  /// `turns` must outlive it.
  explicit Canvas(RenderScheduler& turns, QWidget* parent = nullptr);
  ~Canvas() override;
  /// `draw` updates and renders the scene; returning true requests another frame.
  void setDraw(std::function<bool()> draw) { draw_ = std::move(draw); }
  /// `take` captures the state to be drawn: it is called for all canvases before the first of them draws, so
  /// that they show the same state.
  void setTake(std::function<void()> take) { take_ = std::move(take); }
  /// `release` frees the scene's resources for closed layers; its OpenGL context is current. Returns true if
  /// nothing is left to show: this is drawn, too, since OpenGL keeps the resources of its last picture.
  void setLetGo(std::function<bool()> release) { release_ = std::move(release); }

  /// Draws nothing from now on; `free` destroys the scene while there is a context in which VTK's objects can
  /// free their textures.
  void close(const std::function<void()>& free);

  vtkRenderWindow* renderWindow() const;
  QVTKInteractor* interactor() const;
  /// Makes the OpenGL context current, which exists since the first drawing.
  void makeCurrent();
  void doneCurrent() { context_.doneCurrent(); }

  /// Starts OpenGL for a visible canvas; false if that was done before, or is not possible.
  bool startUp() { return !adapter_ && isVisible() && prepare(); }
  /// The pixel of the window of VTK, from its lower left corner, at a position of this widget.
  QPointF pixelAt(QPointF position) const;
  void scheduleRender();
  /// Schedules the release of a closed layer's resources: a hidden canvas does this once the window is idle.
  void releaseWhenIdle();
  /// Drops the last picture of a hidden view: it shows outdated content, perhaps of another participant,
  /// which would be visible for a moment when the canvas is shown again.
  void forgetUnseen();
  /// Draws and shows it before returning: for direct interaction with this view.
  void drawAtOnce();
  void take() const;
  /// Draws for the next paint event if there is something new and the canvas is visible. Returns whether it
  /// drew.
  bool drawIfStale();
  /// Whether a picture has been on screen.
  bool everShown() const { return everShown_; }
  /// Whether the CPU renders; known after the first drawing.
  bool inSoftware() const { return inSoftware_; }
  /// Whether a picture is being taken: then everything is drawn, however long it takes.
  bool isStill() const { return still_; }
  /// Draws once more as soon as nothing was drawn for a moment, with isAtRest(): for a scene that leaves
  /// things out for speed.
  void drawWholeAtRest() { rest_.start(); }
  bool isAtRest() const { return atRest_; }
  /// Draws in its next turn what is waiting for that moment.
  void restNow();
  /// The scene at `scale` times the size on screen, including text and lines. The widget must have been
  /// shown.
  QImage screenshot(int scale);
  /// A screenshot on another background, or without annotations. The widget must have been shown.
  QImage screenshot(const PictureStyle& style);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void beAtRest();
  /// Copies what was drawn into a picture, which keeps its memory if it already has that size.
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
