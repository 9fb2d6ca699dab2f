#include "ui/widgets/export/view_picture.h"

#include "core/base/error.h"
#include "ui/widgets/views/canvas.h"

#include <QBuffer>
#include <QPainter>
#include <QScopeGuard>
#include <algorithm>

namespace sulcus::ui::widgets {

QImage transparentFrom(const QImage& overBlack, const QImage& overWhite) {
  QImage picture(overBlack.size(), QImage::Format_ARGB32_Premultiplied);
  for (int y = 0; y < picture.height(); ++y) {
    const auto* black = reinterpret_cast<const QRgb*>(overBlack.constScanLine(y));
    const auto* white = reinterpret_cast<const QRgb*>(overWhite.constScanLine(y));
    auto* out = reinterpret_cast<QRgb*>(picture.scanLine(y));
    for (int x = 0; x < picture.width(); ++x) {
      // On black, a color c of coverage a gives a·c, on white a·c + 1 − a; the former is what premultiplied
      // formats store.
      const int left = std::max({qRed(white[x]) - qRed(black[x]), qGreen(white[x]) - qGreen(black[x]),
                                 qBlue(white[x]) - qBlue(black[x]), 0});
      const int alpha = 255 - left;
      out[x] = qRgba(std::min(qRed(black[x]), alpha), std::min(qGreen(black[x]), alpha),
                     std::min(qBlue(black[x]), alpha), alpha);
    }
  }
  return picture;
}

namespace {

Qt::GlobalColor colorOf(PictureStyle::Background background) {
  if (background == PictureStyle::Background::white) return Qt::white;
  return background == PictureStyle::Background::transparent ? Qt::transparent : Qt::black;
}

}  // namespace

QImage pictureOf(const std::vector<SceneView*>& views, model::ViewState& view, const PictureStyle& style) {
  if (views.empty()) return {};
  const double ratio = views.front()->devicePixelRatioF() * style.scale;
  QRect all;
  for (const QWidget* shown : views) all |= QRect(shown->mapTo(shown->window(), QPoint()), shown->size());
  const bool crosshair = view.crosshairVisible();
  const auto back = qScopeGuard([&] { view.setCrosshairVisible(crosshair); });
  if (!style.annotations) view.setCrosshairVisible(false);
  QImage picture((QSizeF(all.size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  picture.fill(colorOf(style.background));
  QPainter painter(&picture);
  painter.setCompositionMode(QPainter::CompositionMode_Source);
  for (SceneView* shown : views) {
    auto* canvas = shown->findChild<Canvas*>();
    if (!canvas) continue;
    const QPointF place = shown->mapTo(shown->window(), QPoint()) - all.topLeft();
    painter.drawImage((place * ratio).toPoint(), canvas->screenshot(style));
  }
  return picture;
}

std::string pictureBytes(const QImage& picture, const char* format) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!picture.save(&buffer, format))
    throw Error(std::string("The picture cannot be encoded as ") + format, "no writer for it is installed",
                "save as .png");
  return bytes.toStdString();
}

}  // namespace sulcus::ui::widgets
