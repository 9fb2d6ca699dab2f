#include "ui/widgets/views/chart_view.h"

#include "core/base/error.h"
#include "ui/scene/charts/chart_scene.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/views/canvas.h"

#include <QApplication>
#include <QBuffer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPdfWriter>
#include <QScopeGuard>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>

#include <vtkRenderWindow.h>

namespace sulcus::ui::widgets {
namespace {

constexpr double kZoomStep = 1.2;  ///< of a key, or of a notch of the wheel

scene::Rgb rgbOf(const QColor& color) {
  return {std::uint8_t(color.red()), std::uint8_t(color.green()), std::uint8_t(color.blue())};
}

}  // namespace

ChartView::ChartView(model::ViewState& view, QWidget* parent) : QWidget(parent), view_(view) {
  canvas_ = new Canvas(RenderScheduler::of(view));
  scene_ = std::make_unique<scene::ChartScene>(canvas_->renderWindow());
  canvas_->setDraw([this] {
    scene_->render();
    return false;
  });
  canvas_->setLetGo([this] { return scene_->empty(); });
  canvas_->setMouseTracking(true);
  canvas_->installEventFilter(this);
  canvas_->setFocusPolicy(Qt::StrongFocus);
  canvas_->setAccessibleName(tr("Chart"));
  setFocusProxy(canvas_);
  tight<QVBoxLayout>(this)->addWidget(canvas_);
  setMinimumSize(160, 90);
  takePalette();
}

ChartView::~ChartView() {
  canvas_->removeEventFilter(this);
  canvas_->close([this] { scene_.reset(); });
}

void ChartView::setCharts(std::vector<scene::NamedChart> charts, bool keepZoom) {
  const bool none = charts.empty();
  scene_->setCharts(std::move(charts), keepZoom);
  none ? canvas_->releaseWhenIdle() : canvas_->scheduleRender();
}

bool ChartView::zoomed() const { return scene_->zoomed(); }

void ChartView::resetZoom() {
  scene_->resetView();
  canvas_->scheduleRender();
}

void ChartView::takePalette() {
  scene_->setTheme({rgbOf(palette().color(QPalette::Base)), rgbOf(palette().color(QPalette::Text))});
  canvas_->scheduleRender();
}

void ChartView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && scene_) takePalette();
}

QString ChartView::textAt(QPointF place) const {
  const QPointF at = canvas_->pixelAt(place);
  return QString::fromStdString(scene_->textAt(at.x(), at.y()));
}

void ChartView::zoomAt(QPointF place, double factor) {
  const QPointF at = canvas_->pixelAt(place);
  scene_->zoom(at.x(), at.y(), factor);
  canvas_->scheduleRender();
}

void ChartView::drag(const QMouseEvent& mouse) {
  const QPointF by = (mouse.position() - last_) * canvas_->devicePixelRatioF();
  last_ = mouse.position();
  scene_->pan(by.x(), -by.y());
  canvas_->scheduleRender();
}

void ChartView::hover(const QMouseEvent& mouse) {
  const QPointF over = canvas_->pixelAt(mouse.position());
  const Chart::Subject* subject = scene_->subjectAt(over.x(), over.y());
  const bool hasMap = subject && subject->image;
  canvas_->setCursor(hasMap || scene_->placeAt(over.x(), over.y()) ? Qt::PointingHandCursor
                                                                   : Qt::ArrowCursor);
  QString text = textAt(mouse.position());
  if (hasMap) text += QLatin1Char('\n') + tr("Click: show this map");
  if (text.isEmpty()) return QToolTip::hideText();
  QToolTip::showText(mouse.globalPosition().toPoint() + QPoint(12, 6),
                     QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped()), canvas_);
}

void ChartView::click(QPointF place) {
  const QPointF at = canvas_->pixelAt(place);
  if (const auto found = scene_->placeAt(at.x(), at.y())) view_.lookAt(*found);
  if (const auto pair = scene_->pairAt(at.x(), at.y()))
    emit pairChosen(QString::fromStdString(pair->first), QString::fromStdString(pair->second));
  if (const Chart::Subject* subject = scene_->subjectAt(at.x(), at.y()); subject && subject->image)
    emit subjectClicked(Chart::Subject(*subject));  // the chart may change by the click
}

bool ChartView::pressKey(int key) {
  const QPointF middle(canvas_->width() * 0.5, canvas_->height() * 0.5);
  switch (key) {
    case Qt::Key_Plus:
      zoomAt(middle, kZoomStep);
      return true;
    case Qt::Key_Minus:
      zoomAt(middle, 1 / kZoomStep);
      return true;
    case Qt::Key_Home:
      resetZoom();
      return true;
    default:
      return false;
  }
}

bool ChartView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      canvas_->setFocus();
      dragging_ = mouse->button() == Qt::LeftButton || mouse->button() == Qt::MiddleButton;
      pressed_ = last_ = mouse->position();
      return true;
    }
    case QEvent::MouseMove: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      dragging_ ? drag(mouse) : hover(mouse);
      return true;
    }
    case QEvent::MouseButtonRelease: {
      dragging_ = false;
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() == Qt::LeftButton &&
          (mouse->position() - pressed_).manhattanLength() < QApplication::startDragDistance())
        click(mouse->position());
      return true;
    }
    case QEvent::MouseButtonDblClick:
      resetZoom();
      return true;
    case QEvent::Wheel: {
      const auto* wheel = static_cast<QWheelEvent*>(event);
      zoomAt(wheel->position(), std::pow(kZoomStep, wheel->angleDelta().y() / 120.0));
      return true;
    }
    case QEvent::KeyPress:
      return pressKey(static_cast<QKeyEvent*>(event)->key()) || QWidget::eventFilter(watched, event);
    default:
      return QWidget::eventFilter(watched, event);
  }
}

QImage ChartView::screenshot(int scale) { return canvas_->screenshot(scale); }

QImage ChartView::printed(int scale) {
  scene_->setTheme({});
  const QImage picture = canvas_->screenshot(scale);
  takePalette();
  return picture;
}

QByteArray ChartView::svg() {
  scene_->setTheme({});
  const auto back = qScopeGuard([this] { takePalette(); });
  if (canvas_->screenshot(1).isNull())  // which draws it as it is now
    throw Error("The chart cannot be saved", "there is no OpenGL to draw it with", "save its numbers");
  canvas_->makeCurrent();
  const std::string drawing = scene_->svg();
  canvas_->doneCurrent();
  return QByteArray::fromStdString(drawing);
}

QByteArray ChartView::pdf() {
  constexpr int kScale = 4;  // fine enough for print
  const QImage picture = printed(kScale);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter page(&buffer);
  page.setPageSize(QPageSize(QSizeF(canvas_->size()), QPageSize::Point, {}, QPageSize::ExactMatch));
  page.setPageMargins({});
  QPainter painter(&page);
  painter.drawImage(QRect(0, 0, page.width(), page.height()), picture);
  painter.end();
  return bytes;
}

}  // namespace sulcus::ui::widgets
