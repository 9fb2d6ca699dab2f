#include "ui/widgets/window/guide.h"

#include "ui/widgets/controls/label.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPointer>
#include <QPushButton>
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
    next_ = new QPushButton;
    next_->setObjectName(QStringLiteral("guideNext"));
    next_->setProperty("primary", true);
    auto* skip = new QPushButton(QObject::tr("Skip"));
    skip->setObjectName(QStringLiteral("guideSkip"));
    skip->setFlat(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(count_ = new Label(QString()));
    buttons->addStretch(1);
    buttons->addWidget(skip);
    buttons->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 12);
    column->addWidget(title_);
    column->addWidget(text_);
    column->addLayout(buttons);
    setFixedWidth(fontMetrics().averageCharWidth() * 46);
    connect(next_, &QPushButton::clicked, this, [this] { show(stop_ + 1); });
    connect(skip, &QPushButton::clicked, this, [this] { end(); });
    show(0);
  }
  ~Guide() override { delete frame_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    event->key() == Qt::Key_Escape ? end() : QFrame::keyPressEvent(event);
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
    const QWidget* part = stops_[stop].part;
    const QRect room = parentWidget()->rect();
    const QRect framed = QRect(part->mapTo(parentWidget(), QPoint()), part->size()).intersected(room);
    frame_->setGeometry(framed);
    frame_->show();
    frame_->raise();
    layout()->activate();
    adjustSize();
    // Beside the part where there is room, else within it.
    constexpr int kGap = 12;
    QPoint at(framed.right() + kGap, framed.top() + kGap);
    if (at.x() + width() > room.right()) at.setX(framed.left() - kGap - width());
    if (at.x() < room.left()) at.setX(framed.center().x() - width() / 2);
    at.setX(std::clamp(at.x(), 0, std::max(0, room.width() - width())));
    at.setY(std::clamp(at.y(), 0, std::max(0, room.height() - height())));
    move(at);
    QFrame::show();
    raise();
    next_->setFocus();
  }

  std::vector<Stop> stops_;
  std::size_t stop_ = 0;
  QPointer<QFrame> frame_;
  Label *title_ = nullptr, *text_ = nullptr, *count_ = nullptr;
  QPushButton* next_ = nullptr;
};

}  // namespace

void showGuide(QWidget* window, std::vector<GuideStop> stops) { new Guide(window, std::move(stops)); }

}  // namespace sulcus::ui::widgets
