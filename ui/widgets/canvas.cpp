#include "ui/widgets/canvas.h"

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <algorithm>
#include <cstring>

#include <QVTKInteractor.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>
#include <vtkWindowToImageFilter.h>

namespace sulcus::ui::widgets {

Canvas::Canvas(DrawTurns& turns, QWidget* parent) : QVTKOpenGLNativeWidget(parent), turns_(turns) {
  setFormat(QVTKOpenGLNativeWidget::defaultFormat());
  interactor()->EnableRenderOff();  // VTK asks for frames, too; they are drawn with the others
  renderWindow()->SetMultiSamples(0);
  connect(this, &QOpenGLWidget::resized, this, &Canvas::drawSoon);
}

void Canvas::drawSoon() {
  stale_ = true;
  if (isVisible()) turns_.add(this);
}

void Canvas::showEvent(QShowEvent* event) {
  QVTKOpenGLNativeWidget::showEvent(event);
  if (stale_) turns_.add(this);
}

void Canvas::initializeGL() {
  QVTKOpenGLNativeWidget::initializeGL();
  const auto* name = reinterpret_cast<const char*>(context()->functions()->glGetString(GL_RENDERER));
  inSoftware_ = !name || std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe");
  renderWindow()->SetMultiSamples(inSoftware_ ? 0 : 4);
  everDrawn_ = everShown_ = false;  // what was drawn went with the context before
  drawSoon();
}

bool Canvas::drawNow() {
  auto* state = static_cast<vtkGenericOpenGLRenderWindow*>(renderWindow())->GetState();
  state->Reset();
  state->vtkglDepthFunc(GL_LEQUAL);  // Qt leaves GL_LESS
  everDrawn_ = true;
  return draw_ && draw_();
}

bool Canvas::drawIfStale() {
  if (!stale_ || !isVisible() || !isValid()) return false;
  stale_ = false;
  makeCurrent();
  // VTK asks Qt to paint each frame it has drawn; whoever called this does.
  setAttribute(Qt::WA_UpdatesDisabled, true);
  const bool again = drawNow();
  setAttribute(Qt::WA_UpdatesDisabled, false);
  doneCurrent();
  if (again) drawSoon();
  return true;
}

void Canvas::paintGL() {
  auto* window = static_cast<vtkGenericOpenGLRenderWindow*>(renderWindow());
  const int* now = window->GetSize();
  const int* drawn = everDrawn_ ? window->GetRenderFramebuffer()->GetLastSize() : nullptr;
  if (drawn && drawn[0] == now[0] && drawn[1] == now[1]) {
    QVTKOpenGLNativeWidget::paintGL();
    everShown_ = true;
    return;
  }
  context()->functions()->glClearColor(0, 0, 0, 1);
  context()->functions()->glClear(GL_COLOR_BUFFER_BIT);
  if (!everShown_) return;
  // The size has changed: the last picture, in the middle and not stretched, stands in until the next is
  // drawn.
  vtkOpenGLState* state = window->GetState();
  state->Reset();
  state->Push();
  context()->functions()->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
  window->BlitDisplayFramebuffer(0, 0, 0, drawn[0], drawn[1], (now[0] - drawn[0]) / 2,
                                 (now[1] - drawn[1]) / 2, drawn[0], drawn[1], GL_COLOR_BUFFER_BIT,
                                 GL_NEAREST);
  state->Pop();
}

QImage Canvas::screenshot(int scale) {
  if (!isValid()) return {};
  scale = std::clamp(scale, 1, 8);
  makeCurrent();
  vtkRenderWindow* window = renderWindow();
  const int width = window->GetSize()[0], height = window->GetSize()[1], dpi = window->GetDPI();
  window->SwapBuffersOff();
  window->SetSize(width * scale, height * scale);
  window->SetDPI(dpi * scale);
  drawNow();
  vtkNew<vtkWindowToImageFilter> grab;
  grab->SetInput(window);
  grab->ReadFrontBufferOff();
  grab->ShouldRerenderOff();
  grab->SetInputBufferTypeToRGB();
  grab->Update();
  vtkImageData* pixels = grab->GetOutput();
  const int* size = pixels->GetDimensions();
  const auto* bytes = static_cast<const uchar*>(pixels->GetScalarPointer());
  QImage image =
      QImage(bytes, size[0], size[1], qsizetype(3) * size[0], QImage::Format_RGB888).mirrored(false, true);
  window->SetSize(width, height);
  window->SetDPI(dpi);
  window->SwapBuffersOn();
  doneCurrent();
  drawSoon();
  return image;
}

}  // namespace sulcus::ui::widgets
