#include "ui/widgets/dialogs/apply_field_dialog.h"

#include "core/base/numbers.h"
#include "core/image/grids/interpolation.h"
#include "core/image/table_places.h"
#include "core/image/transform_table.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace sulcus::ui::widgets {
namespace {

bool isField(const Layer& layer) { return std::holds_alternative<DisplacementLayer>(layer.content); }

bool leads(const Layer& layer) { return isField(layer) || isTransform(layer); }

bool isDeformed(const Layer& layer) {
  return std::holds_alternative<VolumeLayer>(layer.content) ||
         std::holds_alternative<LabelsLayer>(layer.content);
}

bool isMoved(const Layer& layer) {
  const auto* table = std::get_if<TableLayer>(&layer.content);
  return std::holds_alternative<MeshLayer>(layer.content) ||
         (table && !isTransform(layer) && !placeColumns(*table).empty());
}

/// Offers the layers that `fit`, topmost first. The selection stays, else `first` is selected if it fits.
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
  return any(leads) && any([](const Layer& layer) { return isDeformed(layer) || isMoved(layer); });
}

ApplyFieldDialog::ApplyFieldDialog(model::LayerStack& layers, QWidget* parent)
    : QDialog(parent), layers_(layers) {
  setObjectName(QStringLiteral("applyFieldDialog"));
  setWindowTitle(tr("Apply field"));
  field_ = named("appliedField", new ElidedComboBox, tr("Transform"));
  inverse_ = named("appliedInverse", new QCheckBox(tr("inverse")), tr("Transform inverted"));
  second_ = named("appliedThen", new ElidedComboBox, tr("Then"));
  second_->addItem(tr("nothing"), 0);
  secondInverse_ = named("thenInverse", new QCheckBox(tr("inverse")), tr("Second inverted"));
  layer_ = named("appliedTo", new ElidedComboBox, tr("Apply to"));
  grid_ = named("appliedLike", new ElidedComboBox, tr("On the grid of"));
  grid_->addItem(tr("the last transform"), 0);
  interpolation_ = named("appliedInterpolation", new QComboBox, tr("Interpolation"));
  interpolation_->addItem(tr("automatic (nearest for labels)"), QStringLiteral("auto"));
  const QString kinds[] = {tr("linear"), tr("nearest voxel"), tr("label of the largest weight"),
                           tr("cubic spline")};
  static_assert(std::size(kinds) == kInterpolationNames.size());
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    interpolation_->addItem(kinds[i], QString::fromLatin1(kInterpolationNames[i]));
  fill_ = named("appliedFill", new QLineEdit, tr("Outside"),
                tr("The value where the image or a field does not reach"));
  fill_->setPlaceholderText(tr("0, or the air of a CT"));
  hint_ = named("appliedHint", new Label);
  hint_->setWordWrap(true);
  hint_->setMinimumHeight(3 * fontMetrics().height());
  auto* form = new QFormLayout;
  const auto beside = [](ElidedComboBox* transform, QCheckBox* inverse) {
    auto* row = new QHBoxLayout;
    row->addWidget(transform, 1);
    row->addWidget(inverse);
    return row;
  };
  form->addRow(layer_->accessibleName(), layer_);
  form->addRow(field_->accessibleName(), beside(field_, inverse_));
  form->addRow(second_->accessibleName(), beside(second_, secondInverse_));
  for (QWidget* field : std::initializer_list<QWidget*>{grid_, interpolation_, fill_})
    form->addRow(field->accessibleName(), field);
  QDialogButtonBox* buttons = dialogButtons(this, QDialogButtonBox::Cancel);
  apply_ = named("applyField", buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole));
  apply_->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(hint_);
  column->addWidget(buttons);
  setMinimumWidth(60 * fontMetrics().averageCharWidth());
  for (ElidedComboBox* choice : {layer_, field_, second_, grid_})
    connect(choice, &QComboBox::currentIndexChanged, this, &ApplyFieldDialog::showKind);
  for (QCheckBox* inverse : {inverse_, secondInverse_})
    connect(inverse, &QCheckBox::toggled, this, &ApplyFieldDialog::showKind);
  connect(fill_, &QLineEdit::textChanged, this, &ApplyFieldDialog::showKind);
  connect(&layers_, &model::LayerStack::added, this, &ApplyFieldDialog::fill);
  connect(&layers_, &model::LayerStack::removed, this, &ApplyFieldDialog::fill);
  connect(&layers_, &model::LayerStack::contentChanged, this, &ApplyFieldDialog::fill);
  connect(this, &QDialog::accepted, this, [this] { emit applyRequested(chosen()); });
  fill();
}

model::FieldApplication ApplyFieldDialog::chosen() const {
  model::FieldApplication made;
  made.transforms.push_back({field_->currentData().toInt(), inverse_->isChecked()});
  if (const model::LayerId then = second_->currentData().toInt())
    made.transforms.push_back({then, secondInverse_->isChecked()});
  made.layer = layer_->currentData().toInt();
  if (!grid_->isEnabled()) return made;
  made.like = grid_->currentData().toInt();
  made.interpolation = interpolation_->currentData().toString().toStdString();
  if (const QString fill = fill_->text().trimmed(); !fill.isEmpty()) made.fill = fill.toStdString();
  return made;
}

void ApplyFieldDialog::fill() {
  const model::LayerId current = layers_.current();
  offer(field_, layers_, current, leads);
  offer(second_, layers_, 0, leads);
  const auto mayBeApplied = [](const Layer& layer) { return isDeformed(layer) || isMoved(layer); };
  // An opened scan is preferred to a map made by the registration.
  const auto& all = layers_.layers();
  const model::LayerState* chosen = layers_.find(current);
  const auto scan = std::find_if(all.rbegin(), all.rend(), [&](const model::LayerState& state) {
    return state.origin == model::Origin::given && mayBeApplied(*state.layer);
  });
  const bool isGiven = chosen && chosen->origin == model::Origin::given && mayBeApplied(*chosen->layer);
  offer(layer_, layers_, scan == all.rend() || isGiven ? current : scan->id, mayBeApplied);
  offer(grid_, layers_, 0, isDeformed);
  showKind();
}

void ApplyFieldDialog::showKind() {
  const model::LayerState* state = layers_.find(layer_->currentData().toInt());
  const bool points = state && isMoved(*state->layer);
  grid_->setEnabled(!points);
  interpolation_->setEnabled(!points), fill_->setEnabled(!points);
  secondInverse_->setEnabled(second_->currentData().toInt() != 0);
  const model::FieldApplication now = chosen();
  const model::LayerState* last = layers_.find(now.transforms.back().layer);
  const bool hasGrid =
      points || now.like != 0 || (last && isField(*last->layer) && !now.transforms.back().inverse);
  const auto fill = now.fill == "auto" ? std::optional(0.0) : numberIn(now.fill);
  apply_->setEnabled(last && state && hasGrid && fill && std::isfinite(*fill));
  hint_->setText(points ? tr("For points: displacement maps fixed → moving, inverse moving → fixed.")
                        : tr("displacement: moving → fixed; inverse: fixed → moving. Two transforms apply in "
                             "this order, with one interpolation."));
  if (!hasGrid)
    hint_->setText(
        tr("A linear or inverted transform does not define the grid of the result: choose an image "
           "in its target space."));
}

}  // namespace sulcus::ui::widgets
