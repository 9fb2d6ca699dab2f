#include "ui/widgets/tools/region_bar.h"

#include "ui/widgets/controls/elided_label.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

namespace sulcus::ui::widgets {

RegionBar::RegionBar(model::LayerStack& layers, model::RegionTools& tools, QWidget* parent)
    : QWidget(parent), layers_(layers), tools_(tools) {
  setObjectName(QStringLiteral("regionBar"));
  auto* line = padded<QHBoxLayout>(this, {6, 0, 6, 3}, 4);
  target_ = named("brushTarget", new ElidedLabel);
  label_ = named("brushLabel", new WholeEdit, tr("Label that is painted"), tr("Label that is painted"));
  label_->setRange(1, WholeEdit::kLargest);
  radius_ =
      numberEdit("brushRadius", tr("Radius of the brush"), tr("Radius of the brush"), {0.1, 200}, tr(" mm"));
  ball_ = barButton(tr("Ball"), tr("Paints in neighboring slices, too"), "brushBall", true);
  erases_ = barButton(tr("Erase"), tr("Takes labels away"), "brushErases", true);
  QToolButton* sphere =
      barButton(tr("Sphere…"), tr("A ball of this label around the crosshair"), "brushSphere");
  QToolButton* statistics = barButton(
      tr("Statistics"), tr("Volume, mean, s.d. and range of each region, as a table"), "brushStatistics");
  QToolButton* done = barButton(tr("Done"), tr("The left button moves the crosshair again"), "brushDone");
  for (QWidget* number : std::initializer_list<QWidget*>{label_, radius_})
    number->setMaximumWidth(fontMetrics().horizontalAdvance(tr("1000 mm")) + 30);
  target_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("a new layer")) + 4);
  line->addWidget(new Label(tr("Paint on")));
  line->addWidget(target_, 1);
  line->addWidget(new Label(tr("label")));
  line->addWidget(label_);
  line->addWidget(new Label(tr("radius")));
  line->addWidget(radius_);
  for (QToolButton* tool : {ball_, erases_, sphere, statistics, done}) line->addWidget(tool);
  connect(label_, &WholeEdit::valueChanged, this, &RegionBar::takeBrush);
  connect(radius_, &NumberEdit::valueChanged, this, &RegionBar::takeBrush);
  for (QToolButton* tool : {ball_, erases_})
    connect(tool, &QToolButton::toggled, this, &RegionBar::takeBrush);
  connect(sphere, &QToolButton::clicked, this, &RegionBar::ballRequested);
  connect(statistics, &QToolButton::clicked, this, &RegionBar::statisticsRequested);
  connect(done, &QToolButton::clicked, this, [this] {
    model::Brush brush = tools_.brush();
    brush.on = false;
    tools_.setBrush(brush);
  });
  connect(&tools_, &model::RegionTools::brushChanged, this, &RegionBar::showBrush);
  connect(&layers_, &model::LayerStack::changed, this, &RegionBar::showTarget);
  showBrush();
  showTarget();
}

void RegionBar::takeBrush() {
  tools_.setBrush({true, label_->value(), radius_->value(), ball_->isChecked(), erases_->isChecked()});
}

void RegionBar::showBrush() {
  const model::Brush& brush = tools_.brush();
  const QSignalBlocker quiet[] = {QSignalBlocker(label_), QSignalBlocker(radius_), QSignalBlocker(ball_),
                                  QSignalBlocker(erases_)};
  label_->setValue(double(brush.label));
  radius_->setValue(brush.radius);
  ball_->setChecked(brush.ball);
  erases_->setChecked(brush.erases);
  setVisible(brush.on);
}

void RegionBar::showTarget() {
  const model::LayerState* state = layers_.find(tools_.target());
  target_->setText(state ? state->name : tr("a new layer"));
}

}  // namespace sulcus::ui::widgets
