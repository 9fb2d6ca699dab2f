#include "ui/widgets/help/guide.h"

#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

class Guide : public QFrame {
 public:
  Guide(QWidget* window, std::vector<GuideStop> stops) : QFrame(window), frame_(new QFrame(window)) {
    for (GuideStop& stop : stops) stops_.push_back({stop.part, stop.title, stop.text});
    setObjectName(QStringLiteral("guide"));
    setAttribute(Qt::WA_StyledBackground);
    frame_->setObjectName(QStringLiteral("guideFrame"));
    frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
    title_ = new Label(QString());
    QFont strong = title_->font();
    strong.setWeight(QFont::DemiBold);
    title_->setFont(strong);
    text_ = new Label(QString());
    text_->setWordWrap(true);
    next_ = named("guideNext", new QPushButton);
    next_->setProperty("primary", true);
    skip_ = named("guideSkip", new QPushButton(QObject::tr("Skip")));
    skip_->setFlat(true);
    count_ = named("guideCount", new Label(QString()));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(count_);
    buttons->addStretch(1);
    buttons->addWidget(skip_);
    buttons->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 12);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(buttons);
    setFixedWidth(fontMetrics().averageCharWidth() * 46);
    connect(next_, &QPushButton::clicked, this, [this] { show(stop_ + 1); });
    connect(skip_, &QPushButton::clicked, this, [this] { end(); });
    qApp->installEventFilter(this);
    show(0);
  }
  ~Guide() override { delete frame_; }

 protected:
  /// It receives its keys wherever the window has the focus, before the shortcuts of the window.
  bool eventFilter(QObject* watched, QEvent* event) override {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Resize && widget && widget != this && widget != frame_ && isVisible() &&
        widget->window() == window())
      QTimer::singleShot(0, this, [this] { place(); });  // when all parts have their new sizes
    const bool asks = event->type() == QEvent::ShortcutOverride;
    if (!widget || widget->window() != window() || !isVisible() ||
        (!asks && event->type() != QEvent::KeyPress))
      return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool next = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
    if (!next && key != Qt::Key_Escape) return false;
    if (asks)
      event->accept();
    else
      next && !skip_->hasFocus() ? show(stop_ + 1) : end();
    return true;
  }

 private:
  struct Stop {
    QPointer<QWidget> part;
    QString title, text;
  };

  void end() {
    hide();
    if (frame_) frame_->hide();
    deleteLater();
  }

  void show(std::size_t stop) {
    while (stop < stops_.size() && !(stops_[stop].part && stops_[stop].part->isVisible())) ++stop;
    if (stop >= stops_.size() || !frame_) return end();
    stop_ = stop;
    title_->setText(stops_[stop].title);
    text_->setText(stops_[stop].text);
    count_->setText(QObject::tr("%1 of %2").arg(stop + 1).arg(stops_.size()));
    next_->setText(stop + 1 == stops_.size() ? QObject::tr("Done") : QObject::tr("Next"));
    place();
    QFrame::show();
    raise();
    next_->setFocus();
  }

  /// Frames the part of the window, and moves next to it.
  void place() {
    const QWidget* part = stops_[stop_].part;
    if (!part || !frame_) return;
    const QRect room = parentWidget()->rect();
    const QRect framed = QRect(part->mapTo(parentWidget(), QPoint()), part->size()).intersected(room);
    frame_->setGeometry(framed);
    frame_->show();
    frame_->raise();
    layout()->activate();
    adjustSize();
    move(placeBeside(framed, room));
  }

  /// Next to a part if there is room, else below or above it, else within it.
  QPoint placeBeside(const QRect& part, const QRect& room) const {
    constexpr int kGap = 12;
    const int right = part.right() + kGap;
    const int left = part.left() - kGap - width();
    const int below = part.bottom() + kGap;
    const int above = part.top() - kGap - height();
    QPoint at(part.center().x() - width() / 2, part.top() + kGap);
    if (right + width() <= room.right())
      at.setX(right);
    else if (left >= room.left())
      at.setX(left);
    else if (below + height() <= room.bottom())
      at.setY(below);
    else if (above >= room.top())
      at.setY(above);
    return {std::clamp(at.x(), 0, std::max(0, room.width() - width())),
            std::clamp(at.y(), 0, std::max(0, room.height() - height()))};
  }

  std::vector<Stop> stops_;
  std::size_t stop_ = 0;
  QPointer<QFrame> frame_;
  Label *title_ = nullptr, *text_ = nullptr, *count_ = nullptr;
  QPushButton *next_ = nullptr, *skip_ = nullptr;
};

}  // namespace

void showGuide(QWidget* window, std::vector<GuideStop> stops) { new Guide(window, std::move(stops)); }

}  // namespace sulcus::ui::widgets
