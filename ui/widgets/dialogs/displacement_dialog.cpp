#include "ui/widgets/dialogs/displacement_dialog.h"

#include "core/image/warp.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

DisplacementDialog::DisplacementDialog(model::LayerStack& layers, model::WarpPreview& preview,
                                       model::LayerId warp, QWidget* parent)
    : QDialog(parent), layers_(layers), preview_(preview), warp_(warp) {
  setObjectName(QStringLiteral("displacementDialog"));
  setWindowTitle(tr("Interpret as displacement"));
  format_ = named("warpFormat", new QComboBox);
  for (const auto& [text, format] :
       {std::pair(tr("displacement, scanner axes RAS (MRtrix, 3D Slicer)"), "displacement"),
        {tr("displacement, LPS (ITK, ANTs, elastix)"), "itk"},
        {tr("positions, scanner axes RAS (MRtrix, NiftyReg, SPM)"), "deformation"},
        {tr("FSL, relative"), "fsl-relative"},
        {tr("FSL, absolute"), "fsl-absolute"}})
    format_->addItem(text, QLatin1String(format));
  moving_ = named("warpMoving", new QComboBox, {}, tr("FSL counts positions in the image that is moved"));
  moving_->addItem(tr("on the grid of the warp"), 0);
  for (const model::LayerState& state : layers_.layers())
    if (gridOf(*state.layer) && state.id != warp_ && state.origin != model::Origin::temporary)
      moving_->addItem(state.name, state.id);
  summary_ = named("warpSummary", new Label);
  summary_->setWordWrap(true);
  summary_->setMinimumHeight(3 * fontMetrics().height());
  auto* hint = new Label(
      tr("The warped grid in the views shows where each point of the reference lies in the moving image."));
  hint->setWordWrap(true);
  auto* form = new QFormLayout;
  form->addRow(tr("The numbers are"), format_);
  form->addRow(tr("Moving image"), moving_);
  QDialogButtonBox* buttons = dialogButtons(this, QDialogButtonBox::Cancel);
  QPushButton* take = named("warpTake", buttons->addButton(tr("Interpret"), QDialogButtonBox::AcceptRole));
  take->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(summary_);
  column->addWidget(hint);
  column->addWidget(buttons);
  const model::LayerState& state = *layers_.find(warp_);
  const bool wasVisible = state.display.visible;
  const auto& volume = std::get<VolumeLayer>(state.layer->content);
  format_->setCurrentIndex(int(likelyFormat(*volume.series)));  // in the order of WarpFormat
  layers_.setVisible(warp_, false);                             // its numbers would hide the reference
  connect(format_, &QComboBox::currentIndexChanged, this, &DisplacementDialog::refresh);
  connect(moving_, &QComboBox::currentIndexChanged, this, &DisplacementDialog::refresh);
  connect(&preview_, &model::WarpPreview::changed, this, [this] { summary_->setText(preview_.summary()); });
  connect(&layers_, &model::LayerStack::removed, this, [this](model::LayerId id) {
    if (id == warp_) return reject();
    const int gone = moving_->findData(id);
    if (gone > 0) moving_->removeItem(gone), refresh();
  });
  connect(this, &QDialog::finished, this, [this, wasVisible](int result) {
    preview_.hide();
    layers_.setVisible(warp_, wasVisible || result == Accepted);
    if (result == Accepted) emit taken(warp_, reinterpretation());
  });
  refresh();
}

DisplacementDialog::~DisplacementDialog() { preview_.hide(); }

Reinterpretation DisplacementDialog::reinterpretation() const {
  Reinterpretation reinterpretation{"displacement " + format_->currentData().toString().toStdString()};
  const model::LayerState* moving = layers_.find(moving_->currentData().toInt());
  if (moving && moving_->isEnabled()) reinterpretation.moving = *gridOf(*moving->layer);
  return reinterpretation;
}

void DisplacementDialog::refresh() {
  moving_->setEnabled(format_->currentData().toString().startsWith(QStringLiteral("fsl")));
  preview_.show(warp_, reinterpretation());
}

}  // namespace sulcus::ui::widgets
