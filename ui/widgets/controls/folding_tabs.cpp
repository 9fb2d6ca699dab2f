#include "ui/widgets/controls/folding_tabs.h"

#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

FoldingTabs::FoldingTabs(QWidget* parent) : QWidget(parent) {
  row_ = named("tabRow", new QWidget);
  row_->setAttribute(Qt::WA_StyledBackground);
  tabs_ = new QTabBar;
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setAccessibleName(tr("Activity, plots and comparison"));
  tools_ = new QStackedWidget;
  tools_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  pages_ = new QStackedWidget;
  pages_->setMinimumWidth(1);  // in a narrow window tables scroll, so the window need not be wider
  pages_->hide();
  QToolButton* undock =
      named("floatBottom", iconButton(QStringLiteral("float"), tr("Detach panel or put it back")));
  foldButton_ = named("foldBottom", iconButton(QStringLiteral("unfold"), tr("Fold or open this panel")));
  auto* line = padded<QHBoxLayout>(row_, {4, 0, 4, 0}, 2);
  line->addWidget(tabs_);
  line->addWidget(tools_, 1);
  line->addWidget(undock);
  line->addWidget(foldButton_);
  auto* column = tight<QVBoxLayout>(this, 0);
  column->addWidget(row_);
  column->addWidget(pages_, 1);

  connect(tabs_, &QTabBar::currentChanged, this, &FoldingTabs::showPage);
  connect(tabs_, &QTabBar::tabBarClicked, this, [this](int tab) {
    if (tab >= 0) setFolded(tab == tabs_->currentIndex() && !folded_);
  });
  connect(foldButton_, &QToolButton::clicked, this, [this] { setFolded(!folded_); });
  connect(undock, &QToolButton::clicked, this, &FoldingTabs::floatRequested);
}

void FoldingTabs::addPage(QWidget* page, const QString& title, QWidget* tools) {
  pages_->addWidget(page);
  tools_->addWidget(tools ? tools : new QWidget);
  tabs_->addTab(title);
}

void FoldingTabs::showPage(int index) {
  pages_->setCurrentIndex(index);
  tools_->setCurrentIndex(index);
}

QWidget* FoldingTabs::current() const { return pages_->currentWidget(); }

void FoldingTabs::setOffered(QWidget* page, bool offered) {
  tabs_->setTabVisible(pages_->indexOf(page), offered);
}

void FoldingTabs::open(QWidget* page) {
  chosen_ = true;
  tabs_->setCurrentIndex(pages_->indexOf(page));
  fold(false);
}

void FoldingTabs::offer(QWidget* page) {
  if (!folded_ && chosen_ && pages_->currentIndex() != 0) return;
  tabs_->setCurrentIndex(pages_->indexOf(page));
  if (!foldedByHand_) fold(false);
}

void FoldingTabs::restore(QWidget* page, bool folded) {
  chosen_ = !folded;
  foldedByHand_ = false;
  tabs_->setCurrentIndex(pages_->indexOf(page));
  fold(folded);
}

void FoldingTabs::setFolded(bool folded) {
  foldedByHand_ = folded;
  chosen_ = !folded;
  fold(folded);
}

void FoldingTabs::fold(bool folded) {
  if (folded == folded_) return;
  folded_ = folded;
  foldButton_->setIcon(themeIcon(folded ? QStringLiteral("unfold") : QStringLiteral("fold")));
  pages_->setVisible(!folded);
  fitHeight();
  emit foldedChanged(folded);
}

void FoldingTabs::fitHeight() { setMaximumHeight(folded_ ? row_->sizeHint().height() : QWIDGETSIZE_MAX); }

bool FoldingTabs::event(QEvent* event) {
  const bool done = QWidget::event(event);
  switch (event->type()) {
    case QEvent::LayoutRequest:
    case QEvent::StyleChange:
    case QEvent::FontChange:
    case QEvent::Show:
      fitHeight();
      break;
    default:
      break;
  }
  return done;
}

}  // namespace sulcus::ui::widgets
