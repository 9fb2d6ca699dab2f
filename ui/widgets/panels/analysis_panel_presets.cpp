// AnalysisPanel: presets of the analysis and of the user.
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/analysis_panel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {

void AnalysisPanel::makePresets(QVBoxLayout* column) {
  presets_ = new QComboBox;
  presets_->setObjectName(QStringLiteral("presets"));
  presets_->setAccessibleName(tr("Preset"));
  guardWheel(presets_);
  connect(presets_, &QComboBox::activated, this, [this] {
    if (const QVariant name = presets_->currentData(); name.isValid())
      presenter_.setPreset(name.toString().toStdString());
    showOptions();
  });
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  auto* label = new Label(tr("Preset"));
  label->setBuddy(presets_);
  form->addRow(label, makePresetRow());
  column->addLayout(form);
  connect(&presenter_, &model::AnalysisPresenter::presetsChanged, this, &AnalysisPanel::fillPresets);
  fillPresets();
}

QLayout* AnalysisPanel::makePresetRow() {
  auto* more = new QToolButton;
  more->setObjectName(QStringLiteral("presetMenu"));
  more->setText(QStringLiteral("…"));
  more->setToolTip(tr("Save these parameters under a name, or delete a preset of your own"));
  more->setAccessibleName(more->toolTip());
  more->setFixedWidth(fontMetrics().horizontalAdvance(more->text()) + kBesideDots);
  more->setPopupMode(QToolButton::InstantPopup);
  more->setFocusPolicy(Qt::StrongFocus);
  auto* menu = new QMenu(more);
  QAction* save = menu->addAction(tr("Save as preset…"), this, &AnalysisPanel::askPresetName);
  save->setObjectName(QStringLiteral("presetSave"));
  QAction* remove = menu->addAction(tr("Forget this preset"), this, [this] {
    presenter_.removePreset(presets_->currentData().toString().toStdString());
  });
  remove->setObjectName(QStringLiteral("presetRemove"));
  connect(menu, &QMenu::aboutToShow, this, [this, remove] {
    const std::string name = presets_->currentData().toString().toStdString();
    remove->setEnabled(std::ranges::any_of(presenter_.ownPresets(),
                                           [&name](const Preset& preset) { return preset.name == name; }));
  });
  more->setMenu(menu);
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  row->addWidget(presets_, 1);
  row->addWidget(more);
  return row;
}

void AnalysisPanel::fillPresets() {
  {
    const QSignalBlocker quiet(presets_);
    presets_->clear();
    presets_->addItem(tr("Default"), QString());
    for (const auto* presets : {&presenter_.analysis().presets, &presenter_.ownPresets()})
      for (const Preset& preset : *presets) {
        presets_->addItem(model::words(preset.name), QString::fromStdString(preset.name));
        presets_->setItemData(presets_->count() - 1, model::words(preset.help), Qt::ToolTipRole);
      }
  }
  if (form_) showOptions();
}

void AnalysisPanel::askPresetName() {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("presetName"));
  dialog->setWindowTitle(tr("Save as preset"));
  dialog->setLabelText(tr("Name of these parameters of %1").arg(model::words(presenter_.analysis().title)));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
    try {
      presenter_.savePreset(name.trimmed().toStdString());
    } catch (const Error& fault) {
      showError(this, tr("Save as preset"), model::localizeForWindow(fault.what()));
    }
  });
  dialog->open();
}

}  // namespace sulcus::ui::widgets
