#include "ui/widgets/panels/plots_panel.h"

#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/views/chart_view.h"
#include "ui/widgets/window/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <functional>

namespace sulcus::ui::widgets {

PlotsPanel::PlotsPanel(model::PlotsModel& plots, model::ViewState& view, QWidget* parent)
    : QWidget(parent), plots_(plots) {
  const auto chooser = [this](const char* name, const QString& label,
                              void (model::PlotsModel::*choose)(const QString&)) {
    auto* box = named(name, new ElidedComboBox, label, label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    guardWheel(box);
    connect(box, &QComboBox::activated, this,
            [this, box, choose](int index) { std::invoke(choose, plots_, box->itemData(index).toString()); });
    return box;
  };
  quantity_ = chooser("plotQuantity", tr("What is plotted"), &model::PlotsModel::setQuantity);
  subject_ = chooser("plotSubject", tr("Of which regressor or image"), &model::PlotsModel::setSubject);
  save_ = named("savePlot", iconButton(QStringLiteral("save"), {}), tr("Save plot"),
                tr("Saves this chart as it is shown, or its numbers"));
  save_->setPopupMode(QToolButton::InstantPopup);
  save_->setFocusPolicy(Qt::StrongFocus);
  auto* menu = new QMenu(save_);
  for (const auto& [text, format] : {std::pair(tr("As picture (PNG)…"), QStringLiteral("png")),
                                     {tr("As drawing (SVG)…"), QStringLiteral("svg")},
                                     {tr("As document (PDF)…"), QStringLiteral("pdf")},
                                     {tr("As numbers (CSV)…"), QStringLiteral("csv")}})
    menu->addAction(text, this, [this, format = format] { emit saveRequested(format); });
  save_->setMenu(menu);
  again_ =
      toolButton("plotsAgain", tr("Run again"),
                 tr("Computes the opened result again, to the same numbers, for plots at the crosshair"));
  connect(again_, &QToolButton::clicked, &plots_, &model::PlotsModel::makeAgain);
  tools_ = new QWidget;
  auto* line = padded<QHBoxLayout>(tools_, {8, 2, 0, 2}, 4);
  line->addStretch(1);
  for (QWidget* tool : std::initializer_list<QWidget*>{again_, quantity_, subject_, save_})
    line->addWidget(tool);
  chart_ = named("chart", new ChartView(view));
  empty_ = named("noPlots", quietLabel(tr("No plots yet: choose the inputs of an analysis, or run it.")));
  empty_->setAlignment(Qt::AlignCenter);
  auto* column = tight<QVBoxLayout>(this, 0);
  column->addWidget(chart_, 1);
  column->addWidget(empty_, 1);

  connect(chart_, &ChartView::subjectClicked, &plots_, &model::PlotsModel::showImageOf);
  connect(&plots_, &model::PlotsModel::namesChanged, this, &PlotsPanel::showNames);
  connect(&plots_, &model::PlotsModel::chartsChanged, this, &PlotsPanel::showCharts);
  showNames();
}

void PlotsPanel::showNames() {
  const auto fill = [](QComboBox* box, const QStringList& texts, const QString& current) {
    box->clear();
    for (const QString& text : texts) box->addItem(model::words(text.toStdString()), text);
    box->setCurrentIndex(int(texts.indexOf(current)));
    box->setVisible(!texts.isEmpty());
  };
  fill(quantity_, plots_.quantities(), plots_.quantity());
  fill(subject_, plots_.subjects(), plots_.subject());
  const bool any = !plots_.names().isEmpty();
  chart_->setVisible(any);
  empty_->setVisible(!any);
  save_->setVisible(any);
  again_->setVisible(plots_.canMakeAgain());
}

void PlotsPanel::showCharts() {
  const bool same = shown_ == plots_.current();
  shown_ = plots_.current();
  std::vector<scene::NamedChart> charts = plots_.charts();
  for (scene::NamedChart& one : charts) one.chart = model::localizeForWindow(std::move(one.chart));
  chart_->setCharts(charts, same);
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
