#include "ui/widgets/panels/analysis_panel.h"

#include "ui/model/choices/remote_hosts.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/layer_picker.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace sulcus::ui::widgets {
namespace {

constexpr int kBesideDots = 16;  ///< pixels around the "…" of a narrow button

/// Aligns the fields of inputs, preset and parameters on the left. What is under "More" may have longer
/// names.
void alignFields(QWidget& body, const Analysis& analysis) {
  int width = 0;
  const auto take = [&](const auto& row) {
    if (!row.advanced) width = std::max(width, body.fontMetrics().horizontalAdvance(model::words(row.label)));
  };
  for (const InputSlot& slot : analysis.inputs) take(slot);
  for (const OptionInfo& option : analysis.options) take(option);
  for (const QFormLayout* form : body.findChildren<QFormLayout*>())
    for (int row = 0; row < form->rowCount(); ++row)
      if (const QLayoutItem* label = form->itemAt(row, QFormLayout::LabelRole))
        label->widget()->setMinimumWidth(width);
}

/// A narrow button "…".
QToolButton* dotsButton(const QString& tip, const char* name) {
  QToolButton* button = textButton(QStringLiteral("…"), tip, name);
  button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text()) + kBesideDots);
  return button;
}

}  // namespace

AnalysisPanel::AnalysisPanel(model::AnalysisPresenter& presenter, model::LayerStack& layers, QWidget* parent)
    : QWidget(parent), presenter_(presenter), layers_(layers) {
  auto* body = new QWidget;
  auto* column = padded<QVBoxLayout>(body, {12, 10, 12, 10}, 8);
  QLabel* summary = quietLabel(model::words(presenter_.analysis().summary));
  column->addWidget(summary);
  // Not needed once the user has chosen a scan for it.
  const auto showSummary = [this, summary] { summary->setVisible(presenter_.inputs().ids().empty()); };
  connect(&presenter_.inputs(), &model::InputChoice::changed, summary, showSummary);
  showSummary();
  column->addWidget(sectionHeading(tr("Inputs")));
  column->addWidget(makeInputs());

  auto* titleRow = new QHBoxLayout;
  titleRow->addWidget(sectionHeading(tr("Parameters")), 1);
  QToolButton* reset = toolButton("reset", tr("Reset"), tr("Reset all parameters to their defaults"));
  reset->setAutoRaise(true);
  connect(reset, &QToolButton::clicked, &presenter_.options(), &model::OptionChoice::reset);
  titleRow->addWidget(reset);
  column->addLayout(titleRow);
  column->addWidget(makeKept());
  makePresets(column);
  form_ = new OptionForm(presenter_.analysis().options);
  form_->setValues(presenter_.options().values());
  column->addWidget(form_);
  fault_ = named("optionFault", new Label);
  fault_->setWordWrap(true);
  fault_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  fault_->hide();
  column->addWidget(fault_);
  column->addStretch(1);
  alignFields(*body, presenter_.analysis());

  auto* scroll = scroll_ = new QScrollArea;
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* all = tight<QVBoxLayout>(this, 0);
  all->addWidget(scroll, 1);
  all->addWidget(rule());
  all->addWidget(makeFooter());

  connect(form_, &OptionForm::refused, this, &AnalysisPanel::refuse);
  connect(form_, &OptionForm::edited, this, [this](const QString& name) { takeEdit(name.toStdString()); });
  connect(&presenter_.options(), &model::OptionChoice::changed, this, &AnalysisPanel::showOptions);
  connect(&presenter_, &model::AnalysisPresenter::spansChanged, this,
          [this] { form_->setSpans(presenter_.spans()); });
  connect(&presenter_.inputs(), &model::InputChoice::changed, this, &AnalysisPanel::showInputs);
  connect(&presenter_, &model::AnalysisPresenter::readinessChanged, this, &AnalysisPanel::showReadiness);
  connect(&layers_, &model::LayerStack::changed, this, &AnalysisPanel::showInputs);  // names
  showOptions();
  showInputs();
  showReadiness();
}

QWidget* AnalysisPanel::makeKept() {
  kept_ = new QWidget;
  auto* row = tight<QHBoxLayout>(kept_, 4);
  auto* said = named("kept", new Label);
  said->setWordWrap(true);
  QToolButton* defaults =
      toolButton("dropKept", tr("Use defaults"), tr("Reset all parameters to their defaults"));
  connect(defaults, &QToolButton::clicked, &presenter_.options(), &model::OptionChoice::reset);
  row->addWidget(said, 1);
  row->addWidget(defaults, 0, Qt::AlignTop);
  return kept_;
}

void AnalysisPanel::showKept() {
  const QString from = presenter_.keptFrom();
  kept_->setVisible(!from.isEmpty());
  kept_->findChild<QLabel*>(QStringLiteral("kept"))
      ->setText(breakable(tr("Marked parameters are kept from %1.").arg(from)));
  form_->setKeptFrom(from);
}

void AnalysisPanel::takeEdit(const std::string& option) {
  try {
    presenter_.options().set(option, form_->values().at(option));
    fault_->hide();
  } catch (const Error& fault) {  // the typed text stays, to be corrected
    showFault(model::localizeForWindow(presenter_.analysis(), fault.message()));
  }
}

void AnalysisPanel::refuse(const QString& name, const QString& typed) {
  for (const OptionInfo& option : presenter_.analysis().options)
    if (option.name == name.toStdString()) try {
        parseOption(option, typed.toStdString());
      } catch (const Error& fault) {
        showFault(
            tr("%1; %2 is kept.")
                .arg(model::localizeForWindow(presenter_.analysis(), fault.message()),
                     QString::fromStdString(formatOption(presenter_.options().values().at(option.name)))));
      }
}

void AnalysisPanel::showFault(const QString& sentence) {
  fault_->setText(sentence);
  fault_->show();
}

void AnalysisPanel::showOptions() {
  form_->setValues(presenter_.options().values());
  showKept();
  fault_->hide();
  const QSignalBlocker quiet(presets_);
  const auto preset = presenter_.options().preset();
  // "custom" exists only while it applies: the one entry without a preset, since a preset may have that name.
  const auto customAt = [this] {
    for (int i = 0; i < presets_->count(); ++i)
      if (!presets_->itemData(i).isValid()) return i;
    return -1;
  };
  if (!preset && customAt() < 0) presets_->addItem(tr("custom"));
  if (preset && customAt() >= 0) presets_->removeItem(customAt());
  presets_->setCurrentIndex(preset ? presets_->findData(QString::fromStdString(*preset)) : customAt());
}

ElidedComboBox* AnalysisPanel::makePicker(const InputSlot& slot) {
  ElidedComboBox* picker = nameBox("", {}, {}, 10);
  picker->setMinimumWidth(72);
  connect(picker, &QComboBox::activated, this, [this, picker, slot = slot.name] {
    presenter_.inputs().choose(slot, picker->currentData().toInt());
  });
  pickers_[slot.name] = picker;
  return picker;
}

LayerPicker* AnalysisPanel::makeManyPicker(const InputSlot& slot) {
  auto* picker = new LayerPicker(slot.required ? tr("choose…") : tr("none"));
  connect(picker, &LayerPicker::chosen, this,
          [this, slot = slot.name](const std::vector<model::LayerId>& layers) {
            presenter_.inputs().choose(slot, layers);
          });
  manyPickers_[slot.name] = picker;
  return picker;
}

QWidget* AnalysisPanel::makeInputs() {
  auto* box = new QWidget;
  auto* column = tight<QVBoxLayout>(box);
  auto* more = new QWidget;
  auto *form = new QFormLayout, *moreForm = new QFormLayout(more);
  for (QFormLayout* each : {form, moreForm}) {
    each->setContentsMargins(0, 0, 0, 0);
    each->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    each->setVerticalSpacing(5);
  }
  moreInputs_ = named("moreInputs", foldButton(more));
  column->addLayout(form);
  column->addWidget(moreInputs_);
  column->addWidget(more);
  for (const auto& slot : presenter_.analysis().inputs) {
    const QString name = QString::fromStdString(slot.name);
    const QString text = model::words(slot.label);
    QWidget* picker = slot.many ? static_cast<QWidget*>(makeManyPicker(slot)) : makePicker(slot);
    picker->setObjectName(QStringLiteral("input.") + name);
    picker->setAccessibleName(text);
    picker->setAcceptDrops(true);
    picker->installEventFilter(this);
    QToolButton* open = dotsButton(tr("Open a file as %1").arg(text), "");  // names need the room
    connect(open, &QToolButton::clicked, this, [this, name] { emit openRequested(name); });
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(picker, 1);
    row->addWidget(open);
    auto* label = new Label(text);
    label->setBuddy(picker);
    const QString tip = inShortLines(model::words(slot.help));
    label->setToolTip(tip);
    if (!slot.many) picker->setToolTip(tip);  // the other kind shows its content
    (slot.advanced ? moreForm : form)->addRow(label, row);
  }
  moreInputs_->setVisible(moreForm->rowCount() > 0);
  return box;
}

QWidget* AnalysisPanel::makeFooter() {
  auto* footer = new QWidget;
  auto* column = padded<QVBoxLayout>(footer, {12, 8, 12, 10}, 6);
  advice_ = named("advice", quietLabel({}));
  memory_ = named("memory", quietLabel({}));
  reason_ = new Label;
  reason_->setWordWrap(true);
  reason_->setObjectName(QStringLiteral("reason"));
  reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(advice_);
  column->addWidget(memory_);
  column->addWidget(reason_);
  const QString texts[] = {tr("Run on &CPU"), tr("Run on &GPU"), tr("Run &both and compare")};
  const char* const names[] = {"run.cpu", "run.gpu", "run.both"};
  auto* pair = new QHBoxLayout;
  pair->setSpacing(6);
  for (int i = 0; i < 3; ++i) {
    buttons_[i] = new QPushButton(texts[i]);
    buttons_[i]->setObjectName(QLatin1String(names[i]));
    buttons_[i]->installEventFilter(this);
    connect(buttons_[i], &QPushButton::clicked, this, [this, i] { emit runRequested(model::RunChoice(i)); });
  }
  pair->addWidget(buttons_[0]);
  pair->addWidget(buttons_[1]);
  column->addLayout(pair);
  column->addWidget(buttons_[2]);
  QToolButton* copy = toolButton("copyCommand", tr("Copy command line"),
                                 tr("Copies the sulcus-cli call that does the same without a window"));
  copy->setAutoRaise(true);
  connect(copy, &QToolButton::clicked, this, &AnalysisPanel::copyCommandRequested);
  auto* last = new QHBoxLayout;
  last->addWidget(makeLive());
  last->addStretch(1);
  last->addWidget(copy);
  column->addLayout(last);
  return footer;
}

QWidget* AnalysisPanel::makeLive() {
  auto* live = named("live", new QCheckBox(tr("Li&ve")));
  const QString course = presenter_.analysis().inSlice ? tr("first on the current slice, then on everything")
                                                       : tr("on everything, shown as it is computed");
  live->setToolTip(tr("Reruns whenever a parameter or an input changes,\n%1,\nreplacing the previous live "
                      "run. It runs where this analysis last ran.")
                       .arg(course));
  connect(live, &QCheckBox::toggled, &presenter_, &model::AnalysisPresenter::setLive);
  connect(&presenter_, &model::AnalysisPresenter::liveChanged, live,
          [this, live] { live->setChecked(presenter_.live()); });
  return live;
}

QComboBox* AnalysisPanel::picker(const std::string& slot) const {
  const auto found = pickers_.find(slot);
  return found == pickers_.end() ? nullptr : found->second;
}

LayerPicker* AnalysisPanel::manyPicker(const std::string& slot) const {
  const auto found = manyPickers_.find(slot);
  return found == manyPickers_.end() ? nullptr : found->second;
}

void AnalysisPanel::focusInput(const std::string& slot) {
  focusField(findChild<QWidget*>(QStringLiteral("input.") + QString::fromStdString(slot)), moreInputs_);
}

void AnalysisPanel::focusOption(const std::string& option) {
  focusField(form_->editor(option), form_->findChild<QToolButton*>(QStringLiteral("more")));
}

void AnalysisPanel::focusField(QWidget* field, QToolButton* fold) {
  if (!field) return;
  if (!field->isVisibleTo(this)) fold->setChecked(true);
  scroll_->widget()->layout()->activate();
  scroll_->ensureWidgetVisible(field);
  field->setFocus(Qt::ShortcutFocusReason);
}

QString AnalysisPanel::reason() const { return reason_->text(); }

void AnalysisPanel::showInputs() {
  QStringList folded;  // options set there are named, so that none has a hidden effect
  for (const auto& slot : presenter_.analysis().inputs)
    if (slot.advanced && !presenter_.inputs().of(slot.name).empty()) folded << model::words(slot.label);
  QString given = folded.mid(0, 2).join(QStringLiteral(", "));
  if (folded.size() > 2) given += tr(" and %1 more").arg(folded.size() - 2);
  moreInputs_->setText(folded.isEmpty() ? tr("More") : tr("More: %1").arg(given));
  moreInputs_->setToolTip(folded.join(QStringLiteral(", ")));
  for (const auto& slot : presenter_.analysis().inputs) {
    if (slot.many) {
      std::vector<std::pair<model::LayerId, QString>> offered;
      for (const model::LayerId id : presenter_.inputs().fitting(slot))
        offered.emplace_back(id, layers_.find(id)->name);
      manyPickers_.at(slot.name)->setLayers(offered, presenter_.inputs().of(slot.name));
      continue;
    }
    ElidedComboBox* picker = pickers_.at(slot.name);
    const QSignalBlocker quiet(picker);
    ElidedComboBox::Items items{{slot.required ? tr("choose…") : tr("none"), 0}};
    for (const model::LayerId id : presenter_.inputs().fitting(slot))
      items.emplace_back(layers_.find(id)->name, id);
    picker->setItems(items);
    picker->setCurrentIndex(std::max(0, picker->findData(presenter_.inputs().first(slot.name))));
  }
}

void AnalysisPanel::showReadiness() {
  showKept();
  if (const auto& names = presenter_.analysis().weightNames)
    form_->setNames(names(presenter_.inputs().contents(), presenter_.options().values()));
  if (const auto& names = presenter_.analysis().offeredNames)
    form_->setOffers(names(presenter_.inputs().contents()));
  if (const auto& idle = presenter_.analysis().idleOptions)
    form_->setIdle(idle(presenter_.inputs().contents()));
  const auto show = [](QLabel* label, const QString& text) {
    label->setText(breakable(text));
    label->setVisible(!text.isEmpty());
  };
  const QString& place = presenter_.gpuHost();
  buttons_[1]->setText(place.isEmpty() ? tr("Run on &GPU")
                                       : tr("Run at %1").arg(model::remoteHostTitle(place)));
  QStringList reasons;
  for (int i = 0; i < 3; ++i) {
    const QString why = presenter_.whyNot(model::RunChoice(i));
    buttons_[i]->setEnabled(why.isEmpty());
    buttons_[i]->setToolTip(why);
    if (!why.isEmpty() && !reasons.contains(why)) reasons << why;
  }
  // The most complete action available is the one button that is highlighted.
  QPushButton* const most = buttons_[2]->isEnabled() ? buttons_[2] : buttons_[0];
  for (QPushButton* button : buttons_)
    if (button->property("primary").toBool() != (button == most)) {
      button->setProperty("primary", button == most);
      button->style()->polish(button);  // a style sheet evaluates properties only then
    }
  // If only the GPU is unavailable, this is not an error.
  reason_->setForegroundRole(buttons_[0]->isEnabled() ? QPalette::PlaceholderText : QPalette::WindowText);
  show(reason_, reasons.join(QLatin1Char('\n')));
  show(advice_, presenter_.advice());
  show(memory_, presenter_.memoryLine());
}

bool AnalysisPanel::eventFilter(QObject* watched, QEvent* event) {
  // A double click on a button means one run, not two identical ones.
  if (event->type() == QEvent::MouseButtonDblClick)
    return std::ranges::find(buttons_, watched) != std::end(buttons_);
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
    return QWidget::eventFilter(watched, event);
  auto* drop = static_cast<QDropEvent*>(event);
  if (!drop->mimeData()->hasUrls()) return QWidget::eventFilter(watched, event);
  drop->acceptProposedAction();
  if (event->type() == QEvent::DragEnter) return true;
  for (const auto& slot : presenter_.analysis().inputs) {
    const QString name = QString::fromStdString(slot.name);
    if (watched->objectName() == QStringLiteral("input.") + name)
      emit filesDropped(name, localFiles(*drop->mimeData()));
  }
  return true;
}

void AnalysisPanel::makePresets(QVBoxLayout* column) {
  presets_ = comboBox("presets", tr("Preset"));
  connect(presets_, &QComboBox::activated, this, [this] {
    if (const QVariant name = presets_->currentData(); name.isValid())
      presenter_.options().setPreset(name.toString().toStdString());
    showOptions();
  });
  auto* form = tight<QFormLayout>();
  auto* label = new Label(tr("Preset"));
  label->setBuddy(presets_);
  form->addRow(label, makePresetRow());
  column->addLayout(form);
  connect(&presenter_.options(), &model::OptionChoice::presetsChanged, this, &AnalysisPanel::fillPresets);
  fillPresets();
}

QLayout* AnalysisPanel::makePresetRow() {
  QToolButton* more =
      dotsButton(tr("Save these parameters under a name, or delete a preset of your own"), "presetMenu");
  more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more);
  named("presetSave", menu->addAction(tr("Save as preset…"), this, &AnalysisPanel::askPresetName));
  QAction* remove = menu->addAction(tr("Forget this preset"), this, [this] {
    presenter_.options().removePreset(presets_->currentData().toString().toStdString());
  });
  remove->setObjectName(QStringLiteral("presetRemove"));
  connect(menu, &QMenu::aboutToShow, this, [this, remove] {
    const std::string name = presets_->currentData().toString().toStdString();
    remove->setEnabled(std::ranges::any_of(presenter_.options().ownPresets(),
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
    for (const auto* presets : {&presenter_.analysis().presets, &presenter_.options().ownPresets()})
      for (const Preset& preset : *presets) {
        presets_->addItem(model::words(preset.name), QString::fromStdString(preset.name));
        presets_->setItemData(presets_->count() - 1, model::words(preset.help), Qt::ToolTipRole);
      }
  }
  if (form_) showOptions();
}

void AnalysisPanel::askPresetName() {
  auto* dialog = deletedOnClose(new QInputDialog(this));
  dialog->setObjectName(QStringLiteral("presetName"));
  dialog->setWindowTitle(tr("Save as preset"));
  dialog->setLabelText(tr("Name of these parameters of %1").arg(model::words(presenter_.analysis().title)));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
    try {
      presenter_.options().savePreset(name.trimmed().toStdString());
    } catch (const Error& fault) {
      showError(this, tr("Save as preset"), model::localizeForWindow(fault.message()));
    }
  });
  dialog->open();
}

}  // namespace sulcus::ui::widgets
