#pragma once

#include <QImage>
#include <QPixmap>
#include <QPushButton>

namespace sulcus::ui::widgets {

/// A button that is a picture, with a title and a line of text on its lower edge.
class PictureCard : public QPushButton {
  Q_OBJECT
 public:
  /// @param picture a resource; without one, the card is dark
  PictureCard(const QString& title, const QString& line, const QString& picture, QWidget* parent = nullptr);

  QSize sizeHint() const override { return {360, 226}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString title_, line_;
  QImage picture_;
  QPixmap scaled_;  ///< the picture at the size of the card, which it fills
};

}  // namespace sulcus::ui::widgets
