#include "ui/widgets/canvas.h"

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <algorithm>
#include <cstring>

#include <QVTKInteractor.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkWindowToImageFilter.h>

namespace sulcus::ui {

Canvas::Canvas(QWidget* parent) : QVTKOpenGLNativeWidget(parent) {
  setFormat(QVTKOpenGLNativeWidget::defaultFormat());
  interactor()->EnableRenderOff();  // VTK asks for frames, too; they are drawn with the others
  renderWindow()->SetMultiSamples(0);
  connect(this, &QOpenGLWidget::resized, this, &Canvas::drawSoon);
}

void Canvas::drawSoon() {
  stale_ = true;
  update();
}

void Canvas::initializeGL() {
  QVTKOpenGLNativeWidget::initializeGL();
  const auto* name = reinterpret_cast<const char*>(context()->functions()->glGetString(GL_RENDERER));
  const bool inSoftware = !name || std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe");
  renderWindow()->SetMultiSamples(inSoftware ? 0 : 4);
}

bool Canvas::drawNow() {
  auto* state = static_cast<vtkGenericOpenGLRenderWindow*>(renderWindow())->GetState();
  state->Reset();
  state->vtkglDepthFunc(GL_LEQUAL);  // Qt leaves GL_LESS
  return draw_ && draw_();
}

void Canvas::paintGL() {
  if (stale_) {
    stale_ = false;
    // VTK asks Qt to paint each frame it has drawn; this one is being painted already.
    setAttribute(Qt::WA_UpdatesDisabled, true);
    const bool again = drawNow();
    setAttribute(Qt::WA_UpdatesDisabled, false);
    if (again) QMetaObject::invokeMethod(this, &Canvas::drawSoon, Qt::QueuedConnection);
  }
  QVTKOpenGLNativeWidget::paintGL();
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

}  // namespace sulcus::ui
