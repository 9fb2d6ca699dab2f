#include "ui/widgets/brush_tool.h"

#include "ui/widgets/canvas.h"
#include "ui/widgets/view_widgets.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

constexpr int kLargestPointer = 255;  ///< pixels; larger ones are not shown by every display

}  // namespace

BrushTool::BrushTool(SliceView& view, model::RegionTools& tools)
    : QObject(&view), view_(view), tools_(tools) {
  canvas_ = view.findChild<Canvas*>();
  canvas_->installEventFilter(this);  // before the view, which installed itself earlier
  connect(&tools_, &model::RegionTools::brushChanged, this, &BrushTool::showPointer);
}

void BrushTool::showPointer() {
  if (!tools_.brush().on) return canvas_->setCursor(Qt::CrossCursor);
  const double millimetres = norm(view_.worldAt({1, 0}) - view_.worldAt({0, 0}));
  const int radius = std::clamp(int(std::lround(tools_.brush().radius / std::max(millimetres, 1e-6))), 1,
                                kLargestPointer / 2 - 1);
  QPixmap pointer(2 * radius + 3, 2 * radius + 3);
  pointer.fill(Qt::transparent);
  QPainter painter(&pointer);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [color, width] : {std::pair(QColor(0, 0, 0, 160), 3.0), {QColor(255, 255, 255), 1.2}}) {
    painter.setPen(QPen(color, width, tools_.brush().erases ? Qt::DashLine : Qt::SolidLine));
    painter.drawEllipse(QPointF(radius + 1.5, radius + 1.5), radius, radius);
  }
  painter.end();
  canvas_->setCursor(QCursor(pointer));
}

bool BrushTool::eventFilter(QObject* watched, QEvent* event) {
  if (watched != canvas_ || !tools_.brush().on) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (event->type() == QEvent::MouseButtonPress) {
        if (mouse.button() != Qt::LeftButton || mouse.modifiers())
          return false;  // with keys it pans and zooms
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
    case QEvent::MouseButtonDblClick:
      return static_cast<const QMouseEvent&>(*event).button() == Qt::LeftButton;
    case QEvent::Enter:
    case QEvent::Wheel:
      showPointer();  // the view may have been zoomed
      return false;
    default:
      return false;
  }
}

}  // namespace sulcus::ui::widgets
