#include "ui/widgets/views/canvas.h"

#include "ui/scene/common/dark_text.h"
#include "ui/widgets/export/view_picture.h"

#include <QOpenGLFunctions>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

#include <QVTKInteractor.h>
#include <QVTKRenderWindowAdapter.h>
#include <vtkActor2D.h>
#include <vtkAnnotatedCubeActor.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkInteractorStyleTrackballCamera.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>
#include <vtkPropCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>
#include <vtkVersionMacros.h>

namespace sulcus::ui::widgets {
namespace {

constexpr int kRestMs = 400;  ///< without drawing, after which the views are at rest

using Undo = std::vector<std::function<void()>>;

void forEachRenderer(vtkRenderWindow* window, const std::function<void(vtkRenderer*)>& use) {
  vtkRendererCollection* all = window->GetRenderers();
  vtkCollectionSimpleIterator at;
  all->InitTraversal(at);
  while (vtkRenderer* renderer = all->GetNextRenderer(at)) use(renderer);
}

void forEachProp(vtkRenderWindow* window, const std::function<void(vtkProp*)>& use) {
  forEachRenderer(window, [&](vtkRenderer* renderer) {
    vtkPropCollection* all = renderer->GetViewProps();
    vtkCollectionSimpleIterator at;
    all->InitTraversal(at);
    while (vtkProp* prop = all->GetNextProp(at)) use(prop);
  });
}

void hideAnnotations(vtkRenderWindow* window, Undo& undo) {
  forEachProp(window, [&](vtkProp* prop) {
    const bool annotates = vtkActor2D::SafeDownCast(prop) || vtkAnnotatedCubeActor::SafeDownCast(prop);
    if (!annotates || !prop->GetVisibility()) return;
    prop->VisibilityOff();
    undo.emplace_back([prop] { prop->VisibilityOn(); });
  });
}

void setBackground(vtkRenderWindow* window, double gray) {
  forEachRenderer(window, [gray](vtkRenderer* renderer) {
    if (renderer->GetLayer() == 0) renderer->SetBackground(gray, gray, gray);
  });
}

}  // namespace

Canvas::Canvas(RenderScheduler& turns, QWidget* parent) : QWidget(parent), turns_(turns) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  for (const Qt::GestureType gesture :
       {Qt::PinchGesture, Qt::PanGesture, Qt::TapGesture, Qt::TapAndHoldGesture, Qt::SwipeGesture})
    grabGesture(gesture);
  window_->SetReadyForRendering(false);  // there is no context yet
  window_->SetFrameBlitModeToNoBlit();
  window_->SetMultiSamples(0);
  vtkNew<QVTKInteractor> interactor;
  vtkNew<vtkInteractorStyleTrackballCamera> style;
  window_->SetInteractor(interactor);
  interactor->Initialize();
  interactor->SetInteractorStyle(style);
  interactor->EnableRenderOff();  // VTK also requests frames; they are drawn with the others
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &Canvas::beAtRest);
}

void Canvas::beAtRest() {
  if (!isVisible()) return;
  if (!turns_.idle() || turns_.sinceDrawn() < kRestMs) return rest_.start();  // another view is in motion
  atRest_ = true;
  scheduleRender();
}

void Canvas::restNow() {
  if (!rest_.isActive()) return;
  rest_.stop();
  atRest_ = true;
  scheduleRender();
}

Canvas::~Canvas() {
  makeCurrent();  // VTK frees its resources there
  adapter_.reset();
  doneCurrent();
}

vtkRenderWindow* Canvas::renderWindow() const { return window_; }

QVTKInteractor* Canvas::interactor() const { return QVTKInteractor::SafeDownCast(window_->GetInteractor()); }

void Canvas::makeCurrent() {
  if (context_.isValid()) context_.makeCurrent(&surface_);
}

void Canvas::close(const std::function<void()>& free) {
  draw_ = {};
  take_ = {};
  release_ = {};
  makeCurrent();
  free();
  doneCurrent();
}

QPointF Canvas::pixelAt(QPointF position) const {
  return devicePixelRatioF() * QPointF(position.x(), height() - position.y());
}

bool Canvas::prepare() {
  if (adapter_) return true;
  const QSurfaceFormat format = QVTKRenderWindowAdapter::defaultFormat();
  surface_.setFormat(format);
  surface_.create();
  context_.setFormat(format);
  if (!context_.create() || !context_.makeCurrent(&surface_)) return false;
  const auto* name = reinterpret_cast<const char*>(context_.functions()->glGetString(GL_RENDERER));
  inSoftware_ = !name || std::strstr(name, "llvmpipe") || std::strstr(name, "softpipe");
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 4, 0)  // finds the functions of OpenGL by their names
  window_->SetOpenGLSymbolLoader(
      [](void* context, const char* function) {
        return static_cast<QOpenGLContext*>(context)->getProcAddress(function);
      },
      &context_);
  window_->OpenGLInitContext();
#endif
  window_->GetState()->Reset();
  adapter_ = std::make_unique<QVTKRenderWindowAdapter>(&context_, window_, this);
  adapter_->setDefaultCursor(cursor());
  window_->SetMultiSamples(inSoftware_ ? 0 : 4);
  // VTK would copy colors and depths of a frame to where it is shown, which is not needed; only with
  // multisampling is this copy what resolves the samples.
  window_->SetSwapBuffers(!inSoftware_);
  return true;
}

void Canvas::scheduleRender() {
  stale_ = true;
  if (isVisible()) turns_.add(this);
}

void Canvas::releaseWhenIdle() {
  stale_ = true;
  if (isVisible() || adapter_) turns_.add(this);  // otherwise it has never shown anything
}

void Canvas::forgetUnseen() {
  if (!isVisible()) picture_ = {};
}

void Canvas::drawAtOnce() {
  take();
  stale_ = true;
  if (drawIfStale()) repaint();
}

void Canvas::take() const {
  if (take_) take_();
}

void Canvas::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) turns_.add(this);
}

void Canvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  scheduleRender();
}

bool Canvas::event(QEvent* event) {
  if (adapter_) adapter_->handleEvent(event);
  return QWidget::event(event);
}

bool Canvas::drawNow() {
  window_->GetState()->Reset();
  window_->GetState()->vtkglDepthFunc(GL_LEQUAL);  // a context starts with GL_LESS
  return draw_ && draw_();
}

bool Canvas::drawIfStale() {
  if (stale_ && !isVisible() && adapter_ && release_) {
    makeCurrent();
    if (release_()) drawNow();
    doneCurrent();
    forgetUnseen();
    return true;
  }
  if (!stale_ || !isVisible() || !prepare()) return false;
  stale_ = false;
  rest_.stop();
  makeCurrent();
  adapter_->resize(width(), height());
  // VTK asks Qt to paint each frame it has drawn; here the caller does this.
  setAttribute(Qt::WA_UpdatesDisabled, true);
  const bool again = drawNow();
  atRest_ = false;
  setAttribute(Qt::WA_UpdatesDisabled, false);
  copyTo(picture_);
  picture_.setDevicePixelRatio(devicePixelRatioF());
  doneCurrent();
  if (again) scheduleRender();
  return true;
}

QImage Canvas::drawn() const {
  QImage picture;
  copyTo(picture);
  return picture;
}

void Canvas::copyTo(QImage& picture) const {
  const int width = window_->GetSize()[0], height = window_->GetSize()[1];
  if (picture.size() != QSize(width, height) || picture.format() != QImage::Format_RGB32)
    picture = QImage(width, height, QImage::Format_RGB32);
  vtkOpenGLState* state = window_->GetState();
  state->PushReadFramebufferBinding();
  vtkOpenGLFramebufferObject* frame =
      window_->GetSwapBuffers() ? window_->GetDisplayFramebuffer() : window_->GetRenderFramebuffer();
  frame->Bind(vtkOpenGLFramebufferObject::GetReadMode());
  frame->ActivateReadBuffer(0);
  // OpenGL counts rows from the bottom; Mesa can write them in reverse order.
  constexpr GLenum kPackInvert = 0x8758;
  const bool inverts = context_.hasExtension("GL_MESA_pack_invert");
  QOpenGLFunctions* gl = context_.functions();
  gl->glPixelStorei(GL_PACK_ALIGNMENT, 4);
  if (inverts) gl->glPixelStorei(kPackInvert, GL_TRUE);
  gl->glReadPixels(0, 0, width, height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, picture.bits());
  if (inverts) gl->glPixelStorei(kPackInvert, GL_FALSE);
  state->PopReadFramebufferBinding();
  if (inverts) return;
  const std::size_t bytes = std::size_t(picture.bytesPerLine());
  std::vector<uchar> kept(bytes);
  for (int low = 0, high = height - 1; low < high; ++low, --high) {
    uchar *const below = picture.bits() + std::size_t(low) * bytes, *const above = picture.bits() +
                                                                                   std::size_t(high) * bytes;
    std::memcpy(kept.data(), below, bytes);
    std::memcpy(below, above, bytes);
    std::memcpy(above, kept.data(), bytes);
  }
}

void Canvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QSize size = picture_.deviceIndependentSize().toSize();
  if (size != this->size()) painter.fillRect(rect(), Qt::black);
  // When the size has changed, the last picture, centered and unscaled, is shown until the next.
  painter.drawImage(QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), picture_);
  everShown_ = everShown_ || !picture_.isNull();
}

QImage Canvas::screenshot(int scale) { return screenshot(PictureStyle{scale}); }

QImage Canvas::screenshot(const PictureStyle& style) {
  if (!adapter_ && !(isVisible() && prepare())) return {};
  const int scale = std::clamp(style.scale, 1, 8);
  makeCurrent();
  adapter_->resize(width(), height());
  const int width = window_->GetSize()[0], height = window_->GetSize()[1], dpi = window_->GetDPI();
  window_->SetSize(width * scale, height * scale);
  window_->SetDPI(dpi * scale);
  take();
  still_ = true;
  drawNow();
  const QImage picture = drawnInStyle(style);
  still_ = false;
  window_->SetSize(width, height);
  window_->SetDPI(dpi);
  doneCurrent();
  scheduleRender();
  return picture;
}

QImage Canvas::drawnInStyle(const PictureStyle& style) {
  using Background = PictureStyle::Background;
  // The fourth channel as left by VTK, 0 in the background, is not part of the picture.
  const auto opaque = [this] {
    QImage picture = drawn();
    for (int y = 0; y < picture.height(); ++y) {
      auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
      for (int x = 0; x < picture.width(); ++x) line[x] |= 0xff000000;
    }
    return picture;
  };
  if (style.annotations && style.background == Background::asOnScreen) return opaque();
  Undo undo;
  forEachRenderer(window_, [&](vtkRenderer* renderer) {
    std::array<double, 3> color{};
    renderer->GetBackground(color.data());
    undo.emplace_back([renderer, color] { renderer->SetBackground(color[0], color[1], color[2]); });
  });
  if (!style.annotations) hideAnnotations(window_, undo);
  std::optional<scene::DarkText> dark;
  if (style.background == Background::white) dark.emplace(window_);
  const auto over = [&](double gray) {
    setBackground(window_, gray);
    window_->Render();
    return opaque();
  };
  QImage picture;
  switch (style.background) {
    case Background::asOnScreen:
      window_->Render();
      picture = opaque();
      break;
    case Background::black:
      picture = over(0);
      break;
    case Background::white:
      picture = over(1);
      break;
    case Background::transparent: {
      const QImage overBlack = over(0);
      picture = transparentFrom(overBlack, over(1));
      break;
    }
  }
  for (const auto& one : undo) one();
  return picture;
}

}  // namespace sulcus::ui::widgets
