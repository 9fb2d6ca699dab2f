#include "ui/widgets/tools/brush_tool.h"

#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/slice_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr int kEdge = 3;  ///< pixels around the circle that its line needs

}  // namespace

/// Drawn over the picture of the view, which therefore need not be rendered again, at any size.
class BrushTool::Outline : public QWidget {
 public:
  explicit Outline(QWidget* canvas) : QWidget(canvas) {
    setObjectName(QStringLiteral("brushOutline"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
  }
  void show(const QPointF& middle, double radius, bool erases) {
    middle_ = middle;
    radius_ = radius;
    erases_ = erases;
    const double reach = radius + kEdge;
    setGeometry(QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach).toAlignedRect());
    setVisible(true);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [color, width] : {std::pair(QColor(0, 0, 0, 160), 3.0), {QColor(255, 255, 255), 1.2}}) {
      painter.setPen(QPen(color, width, erases_ ? Qt::DashLine : Qt::SolidLine));
      painter.drawEllipse(middle_ - QPointF(pos()), radius_, radius_);
    }
  }

 private:
  QPointF middle_;
  double radius_ = 0;
  bool erases_ = false;
};

BrushTool::BrushTool(SliceView& view, model::RegionTools& tools)
    : QObject(&view), view_(view), tools_(tools) {
  canvas_ = view.findChild<Canvas*>();
  outline_ = new Outline(canvas_);
  canvas_->installEventFilter(this);  // before the view, whose filter was installed earlier
  connect(&tools_, &model::RegionTools::brushChanged, this, &BrushTool::showOutline);
}

void BrushTool::showOutline() {
  if (!tools_.brush().on || !pointer_) return outline_->hide();
  const double millimeters = norm(view_.worldAt({1, 0}) - view_.worldAt({0, 0}));
  outline_->show(*pointer_, tools_.brush().radius / std::max(millimeters, 1e-6), tools_.brush().erases);
}

void BrushTool::followPointer(const QEvent& event) {
  switch (event.type()) {
    case QEvent::Enter:
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
      pointer_ = static_cast<const QSinglePointEvent&>(event).position();
      return showOutline();
    case QEvent::Leave:
      pointer_.reset();
      return showOutline();
    case QEvent::Wheel:  // which may zoom, once it reaches the view
      QMetaObject::invokeMethod(this, &BrushTool::showOutline, Qt::QueuedConnection);
      return;
    default:
      return;
  }
}

bool BrushTool::eventFilter(QObject* watched, QEvent* event) {
  if (watched != canvas_) return false;
  followPointer(*event);
  if (!tools_.brush().on) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:  // replaces a press that quickly follows another
    case QEvent::MouseMove: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (event->type() != QEvent::MouseMove) {
        if (mouse.button() != Qt::LeftButton || mouse.modifiers())
          return false;  // with modifiers it pans and zooms
        canvas_->setFocus(Qt::MouseFocusReason);
        painting_ = true;
      }
      if (!painting_ || !(mouse.buttons() & Qt::LeftButton)) return false;
      tools_.strokeTo(view_.worldAt(mouse.position()), view_.normal());
      return true;
    }
    case QEvent::MouseButtonRelease:
      if (!std::exchange(painting_, false)) return false;
      tools_.endStroke();
      return true;
    default:
      return false;
  }
}

}  // namespace sulcus::ui::widgets
