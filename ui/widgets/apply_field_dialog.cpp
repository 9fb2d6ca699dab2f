#include "ui/widgets/apply_field_dialog.h"

#include "core/image/interpolation.h"
#include "core/image/table_places.h"
#include "ui/widgets/label.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace sulcus::ui::widgets {
namespace {

bool isField(const Layer& layer) { return std::holds_alternative<DisplacementLayer>(layer.content); }

bool isDeformed(const Layer& layer) {
  return std::holds_alternative<VolumeLayer>(layer.content) ||
         std::holds_alternative<LabelsLayer>(layer.content);
}

bool isMoved(const Layer& layer) {
  const auto* table = std::get_if<TableLayer>(&layer.content);
  return std::holds_alternative<MeshLayer>(layer.content) || (table && !placeColumns(*table).empty());
}

/// Offers the layers that `fit`, the top one first. The one that was chosen stays, else `first` is where it
/// fits.
template <class Fits>
void offer(QComboBox* box, const model::LayerStack& layers, model::LayerId first, Fits fit) {
  const int before = box->currentData().toInt();
  for (int i = box->count(); i-- > 0;)
    if (box->itemData(i).toInt() != 0) box->removeItem(i);
  const auto& all = layers.layers();
  for (auto state = all.rbegin(); state != all.rend(); ++state)
    if (state->origin != model::Origin::temporary && fit(*state->layer)) box->addItem(state->name, state->id);
  const int chosen = box->findData(before > 0 ? before : first);
  box->setCurrentIndex(std::max(0, chosen));
}

}  // namespace

bool ApplyFieldDialog::hasChoice(const model::LayerStack& layers) {
  const auto any = [&](auto fit) {
    return std::any_of(layers.layers().begin(), layers.layers().end(),
                       [&](const model::LayerState& state) { return fit(*state.layer); });
  };
  return any(isField) && any([](const Layer& layer) { return isDeformed(layer) || isMoved(layer); });
}

ApplyFieldDialog::ApplyFieldDialog(model::LayerStack& layers, QWidget* parent)
    : QDialog(parent), layers_(layers) {
  setObjectName(QStringLiteral("applyFieldDialog"));
  setWindowTitle(tr("Apply field"));
  const auto box = [](auto* made, const char* name, const QString& label) {
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(label);
    return made;
  };
  field_ = box(new NameBox, "appliedField", tr("Field"));
  layer_ = box(new NameBox, "appliedTo", tr("Apply to"));
  like_ = box(new NameBox, "appliedLike", tr("On the grid of"));
  like_->addItem(tr("the field"), 0);
  interpolation_ = box(new QComboBox, "appliedInterpolation", tr("Interpolation"));
  interpolation_->addItem(tr("as fits: labels stay labels"), QStringLiteral("auto"));
  const QString kinds[] = {tr("linear"), tr("nearest voxel"), tr("label of the largest weight")};
  static_assert(std::size(kinds) == kInterpolationNames.size());
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    interpolation_->addItem(kinds[i], QString::fromLatin1(kInterpolationNames[i]));
  hint_ = new Label;
  hint_->setObjectName(QStringLiteral("appliedHint"));
  hint_->setWordWrap(true);
  hint_->setMinimumHeight(3 * fontMetrics().height());
  auto* form = new QFormLayout;
  for (QWidget* field : {static_cast<QWidget*>(field_), static_cast<QWidget*>(layer_),
                         static_cast<QWidget*>(like_), static_cast<QWidget*>(interpolation_)})
    form->addRow(field->accessibleName(), field);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  apply_ = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
  apply_->setObjectName(QStringLiteral("applyField"));
  apply_->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(hint_);
  column->addWidget(buttons);
  setMinimumWidth(60 * fontMetrics().averageCharWidth());
  connect(layer_, &QComboBox::currentIndexChanged, this, &ApplyFieldDialog::showKind);
  connect(&layers_, &model::LayerStack::added, this, &ApplyFieldDialog::fill);
  connect(&layers_, &model::LayerStack::removed, this, &ApplyFieldDialog::fill);
  connect(&layers_, &model::LayerStack::contentChanged, this, &ApplyFieldDialog::fill);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(this, &QDialog::accepted, this, [this] {
    emit wanted(field_->currentData().toInt(), layer_->currentData().toInt(),
                like_->isEnabled() ? like_->currentData().toInt() : 0,
                interpolation_->currentData().toString().toStdString());
  });
  fill();
}

void ApplyFieldDialog::fill() {
  const model::LayerId current = layers_.current();
  offer(field_, layers_, current, isField);
  offer(layer_, layers_, current, [](const Layer& layer) { return isDeformed(layer) || isMoved(layer); });
  offer(like_, layers_, 0, isDeformed);
  apply_->setEnabled(field_->count() > 0 && layer_->count() > 0);
  showKind();
}

void ApplyFieldDialog::showKind() {
  const model::LayerState* state = layers_.find(layer_->currentData().toInt());
  const bool points = state && isMoved(*state->layer);
  like_->setEnabled(!points);
  interpolation_->setEnabled(!points);
  hint_->setText(
      points
          ? tr("Its points go where the field leads: displacement brings them from the reference to the "
               "template, inverse from the template to the reference.")
          : tr("The image comes from where the field leads: displacement brings images of the template onto "
               "the reference, inverse those of the reference onto the template."));
}

}  // namespace sulcus::ui::widgets
