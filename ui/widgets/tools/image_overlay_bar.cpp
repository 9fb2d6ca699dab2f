#include "ui/widgets/tools/image_overlay_bar.h"

#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <functional>

namespace sulcus::ui::widgets {

ImageOverlayBar::ImageOverlayBar(model::LayerStack& layers, model::ImageOverlay& pair, QWidget* parent)
    : QWidget(parent), layers_(layers), pair_(pair) {
  auto* line = padded<QHBoxLayout>(this, {6, 0, 6, 3}, 4);
  lower_ = imageChoice("pairLower", tr("Image below"), &model::ImageOverlay::setLower);
  upper_ = imageChoice("pairUpper", tr("Image above"), &model::ImageOverlay::setUpper);
  line->addWidget(lower_, 1);
  line->addWidget(new Label(tr("and")));
  line->addWidget(upper_, 1);
  modes_ = new QButtonGroup(this);
  const std::tuple<model::ImageOverlay::Mode, const char*, QString, QString> modes[] = {
      {model::ImageOverlay::Mode::checkerboard, "pairCheckerboard", tr("Checkerboard"),
       tr("Checkerboard of both images (K)")},
      {model::ImageOverlay::Mode::blink, "pairBlink", tr("Blink"), tr("Blink between the images (B)")},
      {model::ImageOverlay::Mode::blend, "pairBlend", tr("Mixture"), tr("Blend both images (M)")},
      {model::ImageOverlay::Mode::wipe, "pairWipe", tr("Wipe"), tr("Wipe: drag the edge in the slices (W)")}};
  for (const auto& [mode, name, text, tip] : modes) {
    QToolButton* button = barButton(text, tip, name, true);
    modes_->addButton(button, int(mode));
    line->addWidget(button);
  }
  connect(modes_, &QButtonGroup::idClicked, this,
          [this](int id) { pair_.setMode(model::ImageOverlay::Mode(id)); });
  share_ = named("pairShare", new QSlider(Qt::Horizontal),
                 tr("Share of the upper image, or position of the edge"));
  share_->setRange(0, 100);
  share_->setMinimumWidth(80);
  guardWheel(share_);
  connect(share_, &QSlider::valueChanged, this, [this](int percent) { pair_.setShare(percent / 100.0); });
  shareText_ = new Label;
  shareText_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("100 %")));
  tile_ = spinBox("pairTile", tr("Edge of a tile"), tr("Edge of a tile"), {2, 200}, tr(" mm"));
  connect(tile_, &QSpinBox::valueChanged, this, [this](int edge) { pair_.setTile(edge); });
  rate_ = numberEdit("pairRate", tr("Images a second"), tr("Images a second"), {0.5, 5}, tr(" per s"));
  rate_->setStepType(QAbstractSpinBox::DefaultStepType);
  rate_->setSingleStep(0.5);
  rate_->setMaximumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.25") + rate_->suffix()) + 34);
  connect(rate_, &QDoubleSpinBox::valueChanged, this, [this](double rate) { pair_.setRate(rate); });
  QToolButton* difference = barButton(
      tr("Difference"), tr("The image above minus the one below, as a layer (D)"), "pairDifference");
  connect(difference, &QToolButton::clicked, this, &ImageOverlayBar::differenceRequested);
  line->addWidget(share_, 1);
  line->addWidget(shareText_);
  line->addWidget(tile_);
  line->addWidget(rate_);
  line->addWidget(difference);

  connect(&pair_, &model::ImageOverlay::changed, this, &ImageOverlayBar::show);
  connect(&layers_, &model::LayerStack::changed, this, [this] {
    if (isVisible()) show();
  });
  show();
}

QComboBox* ImageOverlayBar::imageChoice(const char* name, const QString& label,
                                        void (model::ImageOverlay::*set)(model::LayerId)) {
  ElidedComboBox* choice = nameBox(name, label, label, 8);
  connect(choice, &QComboBox::activated, this,
          [this, choice, set](int index) { std::invoke(set, pair_, choice->itemData(index).toInt()); });
  return choice;
}

void ImageOverlayBar::show() {
  setVisible(pair_.mode() != model::ImageOverlay::Mode::off);
  const auto ids = pair_.candidates();
  for (const auto& [choice, chosen] : {std::pair(lower_, pair_.lower()), std::pair(upper_, pair_.upper())}) {
    const QSignalBlocker quiet(choice);
    while (choice->count() > int(ids.size())) choice->removeItem(choice->count() - 1);
    for (int i = 0; i < int(ids.size()); ++i) {
      if (i == choice->count()) choice->addItem({});
      choice->setItemText(i, layers_.find(ids[std::size_t(i)])->name);
      choice->setItemData(i, ids[std::size_t(i)]);
    }
    choice->setCurrentIndex(choice->findData(chosen));
  }
  if (QAbstractButton* button = modes_->button(int(pair_.mode()))) button->setChecked(true);
  const QSignalBlocker quiet[] = {QSignalBlocker(share_), QSignalBlocker(tile_), QSignalBlocker(rate_)};
  share_->setValue(int(100 * pair_.share() + 0.5));
  shareText_->setText(tr("%1 %").arg(share_->value()));
  tile_->setValue(int(pair_.tile() + 0.5));
  rate_->setValue(pair_.rate());
  const bool blends = pair_.mode() == model::ImageOverlay::Mode::blend;
  share_->setVisible(blends || pair_.mode() == model::ImageOverlay::Mode::wipe);
  shareText_->setVisible(blends);
  rate_->setVisible(pair_.mode() == model::ImageOverlay::Mode::blink);
  tile_->setVisible(pair_.mode() == model::ImageOverlay::Mode::checkerboard);
}

}  // namespace sulcus::ui::widgets
