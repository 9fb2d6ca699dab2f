#include "ui/widgets/plots_panel.h"

#include "ui/widgets/chart_view.h"
#include "ui/widgets/widget_help.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

PlotsPanel::PlotsPanel(model::PlotsModel& plots, model::ViewState& view, QWidget* parent)
    : QWidget(parent), plots_(plots) {
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("plotTabs"));
  tabs_->setAccessibleName(tr("Plots"));
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  tabs_->setUsesScrollButtons(true);
  save_ = new QToolButton;
  save_->setObjectName(QStringLiteral("savePlot"));
  save_->setText(tr("Save"));
  save_->setToolTip(tr("Saves this chart as it is shown, or its numbers"));
  save_->setPopupMode(QToolButton::InstantPopup);
  save_->setAutoRaise(true);
  save_->setFocusPolicy(Qt::StrongFocus);
  auto* menu = new QMenu(save_);
  for (const auto& [text, format] : {std::pair(tr("As picture (PNG)…"), QStringLiteral("png")),
                                     {tr("As drawing (SVG)…"), QStringLiteral("svg")},
                                     {tr("As numbers (CSV)…"), QStringLiteral("csv")}})
    menu->addAction(text, this, [this, format = format] { emit saveRequested(format); });
  save_->setMenu(menu);
  auto* undock = new QToolButton;
  undock->setObjectName(QStringLiteral("floatPlots"));
  undock->setIcon(style()->standardIcon(QStyle::SP_TitleBarNormalButton));
  undock->setToolTip(tr("In a window of its own, or back"));
  undock->setAccessibleName(undock->toolTip());
  undock->setAutoRaise(true);
  undock->setFocusPolicy(Qt::StrongFocus);
  connect(undock, &QToolButton::clicked, this, &PlotsPanel::floatRequested);
  strip_ = new QWidget;
  auto* top = new QHBoxLayout(strip_);
  top->setContentsMargins(6, 2, 6, 0);
  top->addWidget(tabs_, 1);
  top->addWidget(save_);
  top->addWidget(undock);
  chart_ = new ChartView(view);
  chart_->setObjectName(QStringLiteral("chart"));
  empty_ = quietLabel(tr("No plots yet: choose the inputs of an analysis, or run it."));
  empty_->setObjectName(QStringLiteral("noPlots"));
  empty_->setAlignment(Qt::AlignCenter);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(strip_);
  column->addWidget(chart_, 1);
  column->addWidget(empty_, 1);

  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    if (index >= 0) plots_.setCurrent(tabs_->tabData(index).toString());
  });
  connect(&plots_, &model::PlotsModel::namesChanged, this, &PlotsPanel::showNames);
  connect(&plots_, &model::PlotsModel::chartsChanged, this, &PlotsPanel::showCharts);
  showNames();
}

void PlotsPanel::showStrip() {
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, strip_);
  strip_->show();
}

void PlotsPanel::showNames() {
  const QSignalBlocker quiet(tabs_);
  const QStringList names = plots_.names();
  while (tabs_->count() > int(names.size())) tabs_->removeTab(tabs_->count() - 1);
  for (int i = 0; i < int(names.size()); ++i) {
    QString text = names[i];
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    if (i < tabs_->count())
      tabs_->setTabText(i, text);
    else
      tabs_->addTab(text);
    tabs_->setTabData(i, names[i]);
  }
  tabs_->setCurrentIndex(int(names.indexOf(plots_.current())));
  const bool any = !names.isEmpty();
  chart_->setVisible(any);
  empty_->setVisible(!any);
  save_->setEnabled(any);
}

void PlotsPanel::showCharts() {
  const bool same = shown_ == plots_.current();
  shown_ = plots_.current();
  chart_->setCharts(plots_.charts(), same);
}

void PlotsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  plots_.setActive(true);
}

void PlotsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  plots_.setActive(false);
}

}  // namespace sulcus::ui::widgets
