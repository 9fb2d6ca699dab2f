#include "ui/widgets/controls/scroll_strip.h"

#include <QEvent>
#include <QScrollBar>

namespace sulcus::ui::widgets {

ScrollStrip::ScrollStrip(QWidget* row, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidgetResizable(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::NoFocus);
  row->installEventFilter(this);
  // A row that was never shown is hidden, too; only an explicitly hidden one stays so.
  const bool hidden = row->testAttribute(Qt::WA_WState_ExplicitShowHide) && row->isHidden();
  setWidget(row);  // which shows it
  row->setHidden(hidden);
  setHidden(hidden);
}

QSize ScrollStrip::sizeHint() const {
  QSize size = widget()->sizeHint();
  if (size.width() > width()) size.rheight() += horizontalScrollBar()->sizeHint().height();
  return size;
}

bool ScrollStrip::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget()) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
      setVisible(!widget()->isHidden());
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
  }
  return QScrollArea::eventFilter(watched, event);
}

void ScrollStrip::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  updateGeometry();
}

}  // namespace sulcus::ui::widgets
