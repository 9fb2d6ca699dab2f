#include "ui/widgets/controls/picture_card.h"

#include "ui/widgets/window/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace sulcus::ui::widgets {

PictureCard::PictureCard(const QString& title, const QString& line, const QString& picture, QWidget* parent)
    : QPushButton(parent), title_(title), line_(line), picture_(picture) {
  setAccessibleName(title);
  setAccessibleDescription(line);
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  setMinimumSize(220, 150);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PictureCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  const qreal ratio = devicePixelRatioF();
  const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
  QPainterPath outline;
  outline.addRoundedRect(frame, 10, 10);
  painter.setClipPath(outline);
  painter.fillRect(frame, QColor(8, 10, 14));
  const QSize wanted = (QSizeF(size()) * ratio).toSize();
  if (!picture_.isNull() && scaled_.size() != wanted) {
    QImage filled = picture_.scaled(wanted, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    filled = filled.copy((filled.width() - wanted.width()) / 2, (filled.height() - wanted.height()) / 2,
                         wanted.width(), wanted.height());
    scaled_ = QPixmap::fromImage(filled);
    scaled_.setDevicePixelRatio(ratio);
  }
  if (!scaled_.isNull()) painter.drawPixmap(0, 0, scaled_);

  // The text is on a shade that darkens from the middle down, so that it is readable on any picture.
  QLinearGradient shade(0, frame.height() * 0.45, 0, frame.height());
  shade.setColorAt(0, QColor(8, 10, 14, 0));
  shade.setColorAt(1, QColor(8, 10, 14, 225));
  painter.fillRect(frame, shade);
  const QRectF text = frame.adjusted(14, 10, -14, -10);
  painter.setPen(QColor(203, 210, 222));
  QRectF used;
  painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, line_, &used);
  QFont large = font();
  large.setPointSizeF(large.pointSizeF() * 1.25);
  large.setWeight(QFont::DemiBold);
  painter.setFont(large);
  painter.setPen(Qt::white);
  painter.drawText(text.adjusted(0, 0, 0, -used.height() - 3), Qt::AlignLeft | Qt::AlignBottom, title_);

  painter.setClipping(false);
  const bool marked = underMouse() || hasFocus();
  painter.setPen(marked ? QPen(theme().focus, 2) : QPen(theme().line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(outline);
}

}  // namespace sulcus::ui::widgets
