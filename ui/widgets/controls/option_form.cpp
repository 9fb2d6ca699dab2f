#include "ui/widgets/controls/option_form.h"

#include "ui/model/text/localize.h"
#include "ui/widgets/controls/contrast_table.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/option_slider.h"
#include "ui/widgets/controls/widget_help.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr int kLeastField = 72;

QString suffixOf(const OptionInfo& option) {
  if (option.unit.empty()) return {};
  const QString unit = model::words(option.unit);
  return unit == QStringLiteral("°") ? unit : QChar(0x00A0) + unit;
}

/// "0 to 100 %, by default 20 %"; empty for a text that is empty by default.
QString rangeText(const OptionInfo& option) {
  if (const auto* on = std::get_if<bool>(&option.defaultValue))
    return *on ? OptionForm::tr("By default on.") : OptionForm::tr("By default off.");
  const QString standard = model::valueText(option, option.defaultValue);
  if (std::holds_alternative<std::string>(option.defaultValue))
    return standard.isEmpty() ? QString() : OptionForm::tr("By default %1.").arg(standard);
  const auto text = [&](double bound) { return model::valueText(option, checkedOption(option, bound)); };
  constexpr double kSenseless = 1e5;  // bounds beyond this are not worth showing
  if (option.minimum <= -kSenseless && option.maximum >= kSenseless)
    return OptionForm::tr("By default %1.").arg(standard);
  const QString least = text(option.minimum);
  if (std::isinf(option.maximum)) return OptionForm::tr("%1 or more, by default %2.").arg(least, standard);
  return (option.lowest.empty() ? OptionForm::tr("%1 to %2, by default %3.")
                                : OptionForm::tr("%1, or up to %2, by default %3."))
      .arg(least, text(option.maximum), standard);
}

QString tipOf(const OptionInfo& option) {
  QStringList tip{model::words(option.help), rangeText(option)};
  if (option.list) tip << OptionForm::tr("Separate several with a semicolon.");
  if (option.adjustable)
    tip << OptionForm::tr("Changes a finished result at once: that of the current layer, else the latest.");
  tip.removeAll(QString());
  return inShortLines(tip.join(QLatin1Char('\n')));
}

/// Calls `use` with the editor cast to its own class if it edits a number; no effect on others.
template <class Use>
void withNumber(QWidget* editor, Use&& use) {
  if (auto* real = qobject_cast<NumberEdit*>(editor))
    use(real);
  else if (auto* whole = qobject_cast<WholeEdit*>(editor))
    use(whole);
}

QFormLayout* newForm(QWidget* parent = nullptr) {
  auto* form = tight<QFormLayout>(parent);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  form->setVerticalSpacing(5);
  return form;
}

}  // namespace

OptionForm::OptionForm(const std::vector<OptionInfo>& options, QWidget* parent) : QWidget(parent) {
  auto* column = tight<QVBoxLayout>(this);
  form_ = newForm();
  column->addLayout(form_);
  auto* more = new QWidget;
  moreForm_ = newForm(more);

  // A common width for the labels of both forms keeps their fields aligned.
  int labelWidth = 0;
  for (const auto& option : options)
    labelWidth = std::max(labelWidth, fontMetrics().horizontalAdvance(model::words(option.label)));

  std::map<QFormLayout*, bool> inGroup;
  bool anyAdvanced = false;
  for (const auto& option : options) {
    Row row = makeRow(option);
    addReset(row);
    addOffer(row);
    auto* label = new Label(model::words(option.label));
    label->setMinimumWidth(labelWidth);
    label->setBuddy(row.editor);
    const QString tip = tipOf(option);
    label->setToolTip(tip);
    row.editor->setToolTip(tip);
    row.editor->setAccessibleName(model::words(option.label));
    row.editor->setAccessibleDescription(model::words(option.help));
    row.editor->setObjectName(QStringLiteral("option.") + QString::fromStdString(option.name));
    row.editor->setMinimumWidth(kLeastField);  // by default it requests the room of its longest text
    QFormLayout* const form = option.advanced ? moreForm_ : form_;
    if (!std::exchange(inGroup[form], option.adjustable) && option.adjustable) addResultLine(*form);
    form->addRow(label, row.field);
    if (option.list) addTable(row, *form);
    if (option.adjustable) withNumber(row.editor, [&](auto* edit) { addSlider(edit, option); });
    anyAdvanced = anyAdvanced || option.advanced;
    rows_[option.name] = row;
  }

  more_ = named("more", foldButton(more));
  more_->setVisible(anyAdvanced);
  column->addWidget(more_);
  column->addWidget(more);
  for (const auto& [name, row] : rows_) row.show(row.option.defaultValue);
  connect(this, &OptionForm::edited, this, &OptionForm::showState);
  setKeptFrom({});
  showState();
}

void OptionForm::addReset(Row& row) {
  const QString name = QString::fromStdString(row.option.name);
  QToolButton* button = row.reset = barButton(QStringLiteral("↺"), {}, "");
  button->setObjectName(QStringLiteral("reset.") + name);
  button->setAccessibleName(tr("Reset %1 to its default").arg(model::words(row.option.label)));
  QSizePolicy kept = button->sizePolicy();
  kept.setRetainSizeWhenHidden(true);  // fields keep their width
  button->setSizePolicy(kept);
  button->hide();
  row.field = new QWidget;
  auto* line = tight<QHBoxLayout>(row.field, 2);
  line->addWidget(row.editor, 1);
  line->addWidget(button);
  connect(button, &QToolButton::clicked, this, [this, key = row.option.name, name] {
    const Row& here = rows_.at(key);
    here.show(here.option.defaultValue);
    emit edited(name);
  });
}

void OptionForm::addOffer(Row& row) {
  if (row.option.list || !qobject_cast<QLineEdit*>(row.editor)) return;
  QToolButton* button = row.offer = barButton(QStringLiteral("▾"), tr("Choose by name"), "");
  button->setObjectName(QStringLiteral("offer.") + QString::fromStdString(row.option.name));
  button->setAccessibleName(tr("What %1 may be").arg(model::words(row.option.label)));
  button->hide();
  qobject_cast<QHBoxLayout*>(row.field->layout())->insertWidget(1, button);
  connect(button, &QToolButton::clicked, this, [this, name = row.option.name] { showOffers(name); });
}

void OptionForm::setOffers(const std::map<std::string, std::vector<std::string>>& offers) {
  for (auto& [name, row] : rows_) {
    if (!row.offer) continue;
    const auto found = offers.find(name);
    row.offered.clear();
    if (found != offers.end())
      for (const std::string& one : found->second) row.offered << QString::fromStdString(one);
    row.offer->setVisible(!row.offered.isEmpty());
    qobject_cast<QLineEdit*>(row.editor)
        ->setPlaceholderText(
            row.offered.isEmpty() ? QString() : tr("none of %1").arg(row.offered.join(QStringLiteral(", "))));
  }
}

void OptionForm::setIdle(const std::vector<std::string>& names) {
  idle_ = {names.begin(), names.end()};
  showState();
}

void OptionForm::showOffers(const std::string& option) {
  Row& row = rows_.at(option);
  auto* line = qobject_cast<QLineEdit*>(row.editor);
  const auto written = [](const QString& name) {
    return name.contains(QLatin1Char(' ')) ? QLatin1Char('"') + name + QLatin1Char('"') : name;
  };
  QStringList chosen{line->text()};
  if (row.option.words) {
    static const QRegularExpression words(QStringLiteral("\"[^\"]*\"|[^\\s,;\"]+"));
    chosen.clear();
    for (const QRegularExpressionMatch& one : words.globalMatch(line->text())) chosen << one.captured();
  }
  auto* menu = deletedOnClose(new QMenu(this));
  for (const QString& name : row.offered) {
    const QString text = row.option.words ? written(name) : name;
    QAction* action = menu->addAction(QString(name).replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setCheckable(true);
    action->setChecked(chosen.contains(text));
    connect(action, &QAction::triggered, this, [this, line, chosen, text, key = option](bool on) mutable {
      if (!rows_.at(key).option.words) chosen.clear();
      chosen.removeAll(text);
      if (on) chosen << text;
      line->setText(chosen.join(QLatin1Char(' ')));
      emit edited(QString::fromStdString(key));
    });
  }
  menu->popup(row.offer->mapToGlobal(QPoint(0, row.offer->height())));
}

void OptionForm::setKeptFrom(const QString& scan) {
  keptFrom_ = scan;
  for (const auto& [name, row] : rows_) {
    const bool* isOn = std::get_if<bool>(&row.option.defaultValue);
    QString standard = model::valueText(row.option, row.option.defaultValue);
    if (isOn) standard = *isOn ? tr("on") : tr("off");
    const QString what = keptFrom_.isEmpty() ? tr("Changed") : tr("Kept from %1").arg(keptFrom_);
    row.reset->setToolTip(standard.isEmpty()
                              ? tr("%1: click to clear it").arg(what)
                              : tr("%1: click to reset to the default, %2").arg(what, standard));
  }
}

void OptionForm::showState() {
  QStringList changed;
  for (const auto& [name, row] : rows_) {
    const bool isChanged = row.read() != row.option.defaultValue;
    row.reset->setVisible(isChanged);
    const bool isShown = !idle_.contains(name) && (!row.option.flagOnly || isChanged);
    (row.option.advanced ? moreForm_ : form_)->setRowVisible(row.field, isShown);
    if (isShown && isChanged && row.option.advanced) changed << model::shortLabel(row.option);
    if (row.option.unless.empty()) continue;
    const auto other = rows_.find(row.option.unless);
    const auto* value = other == rows_.end() ? nullptr : &other->second;
    const bool overruled =
        value && value->read() != checkedOption(value->option, OptionValue(value->option.minimum));
    row.editor->setEnabled(!overruled);
    if (auto* slider = sliderOf(QString::fromStdString(name))) slider->setEnabled(!overruled);
  }
  // Changed options that are folded away are named.
  QString text = tr("More");
  if (!changed.isEmpty()) text += QStringLiteral(": ") + changed.mid(0, 2).join(QStringLiteral(", "));
  if (changed.size() > 2) text += tr(" and %1 more").arg(changed.size() - 2);
  more_->setText(text);
  more_->setToolTip(changed.isEmpty() ? QString()
                                      : tr("Changed: %1").arg(changed.join(QStringLiteral(", "))));
}

void OptionForm::addTable(const Row& row, QFormLayout& form) {
  auto* line = qobject_cast<QLineEdit*>(row.editor);
  auto* table = new ContrastTable;
  table->setObjectName(QStringLiteral("table.") + QString::fromStdString(row.option.name));
  table->setAccessibleName(model::words(row.option.label));
  form.addRow(table);
  connect(line, &QLineEdit::textChanged, table, &ContrastTable::setText);
  connect(table, &ContrastTable::edited, this,
          [this, line, name = QString::fromStdString(row.option.name)](const QString& text) {
            const QSignalBlocker quiet(line);
            line->setText(text);
            emit edited(name);
          });
}

void OptionForm::setNames(const std::vector<std::string>& names) {
  for (auto* table : findChildren<ContrastTable*>()) table->setNames(names);
}

OptionForm::Row OptionForm::makeRow(const OptionInfo& option) {
  const QString name = QString::fromStdString(option.name);
  const auto tell = [this, name] { emit edited(name); };
  Row row;
  row.option = option;
  if (!option.choices.empty()) {
    auto* box = new QComboBox;
    for (const auto& choice : option.choices)
      box->addItem(model::words(choice), QString::fromStdString(choice));
    guardWheel(box);
    connect(box, &QComboBox::currentIndexChanged, this, tell);
    row.read = [box] { return OptionValue(box->currentData().toString().toStdString()); };
    row.show = [box](const OptionValue& value) {
      const QSignalBlocker quiet(box);
      box->setCurrentIndex(box->findData(QString::fromStdString(std::get<std::string>(value))));
    };
    row.editor = box;
  } else if (std::holds_alternative<bool>(option.defaultValue)) {
    auto* box = new QCheckBox;
    connect(box, &QCheckBox::toggled, this, tell);
    row.read = [box] { return OptionValue(box->isChecked()); };
    row.show = [box](const OptionValue& value) {
      const QSignalBlocker quiet(box);
      box->setChecked(std::get<bool>(value));
    };
    row.editor = box;
  } else if (std::holds_alternative<std::int64_t>(option.defaultValue)) {
    auto* box = new WholeEdit;
    box->setRange(std::max(option.minimum, -WholeEdit::kLargest),
                  std::min(option.maximum, WholeEdit::kLargest));
    box->setSingleStep(std::max(1., option.step));
    return makeNumber(box, option);
  } else if (std::holds_alternative<double>(option.defaultValue)) {
    auto* box = new NumberEdit;
    box->setRange(option.minimum, option.maximum);
    if (option.step > 0) {
      box->setStepType(QAbstractSpinBox::DefaultStepType);
      box->setSingleStep(option.step);
    }
    return makeNumber(box, option);
  } else {
    auto* edit = new QLineEdit;
    if (option.list)  // the lowest of a text is the empty one
      edit->setPlaceholderText(option.lowest.empty() ? tr("none; several with ;")
                                                     : model::words(option.lowest));
    connect(edit, &QLineEdit::editingFinished, this, tell);
    row.read = [edit] { return OptionValue(edit->text().toStdString()); };
    row.show = [edit](const OptionValue& value) {
      edit->setText(QString::fromStdString(std::get<std::string>(value)));
    };
    row.editor = edit;
  }
  return row;
}

template <class Edit>
OptionForm::Row OptionForm::makeNumber(Edit* edit, const OptionInfo& option) {
  using Number = decltype(edit->value());
  using Value = std::conditional_t<std::is_integral_v<Number>, std::int64_t, double>;
  const QString name = QString::fromStdString(option.name);
  edit->setSuffix(suffixOf(option));
  edit->setSpecialValueText(model::words(option.lowest));
  connect(edit, &Edit::valueChanged, this, [this, name] { emit edited(name); });
  connect(edit, &Edit::refused, this, [this, name](const QString& typed) { emit refused(name, typed); });
  Row row;
  row.option = option;
  row.editor = edit;
  row.read = [edit] { return OptionValue(Value(edit->value())); };
  row.show = [this, edit, name](const OptionValue& value) {
    const QSignalBlocker quiet(edit);
    edit->setValue(
        Number(std::clamp(std::get<Value>(value), Value(edit->minimum()), Value(edit->maximum()))));
    if (auto* slider = sliderOf(name)) slider->setNumber(edit->value());
  };
  return row;
}

template <class Edit>
void OptionForm::addSlider(Edit* edit, const OptionInfo& option) {
  auto* slider = new OptionSlider(option);
  slider->setObjectName(QStringLiteral("slider.") + QString::fromStdString(option.name));
  slider->setAccessibleName(model::words(option.label));
  slider->setToolTip(tipOf(option));
  slider->setNumber(edit->value());
  connect(slider, &OptionSlider::moved, edit,
          [edit](double number) { edit->setValue(static_cast<decltype(edit->value())>(number)); });
  connect(edit, &Edit::valueChanged, slider, [slider](auto number) { slider->setNumber(number); });
  QFormLayout* form = option.advanced ? moreForm_ : form_;
  int row = 0;
  QFormLayout::ItemRole role{};
  form->getWidgetPosition(edit->parentWidget(), &row, &role);
  form->insertRow(row + 1, slider);
}

OptionSlider* OptionForm::sliderOf(const QString& option) const {
  return findChild<OptionSlider*>(QStringLiteral("slider.") + option);
}

void OptionForm::setSpans(const std::map<std::string, Range>& spans) {
  for (auto& [name, row] : rows_)
    withNumber(row.editor, [&, &name = name, &option = row.option](auto* edit) {
      const auto span = spans.find(name);
      const bool spanned = span != spans.end() && span->second.low < span->second.high;
      const QString key = QString::fromStdString(name);
      if (spanned && !sliderOf(key)) addSlider(edit, option);
      OptionSlider* slider = sliderOf(key);
      if (!slider) return;
      if (spanned)
        slider->setSpan(span->second.low, span->second.high, std::is_integral_v<decltype(edit->value())>);
      else
        slider->setSpan(option);
      slider->setNumber(edit->value());
      slider->setVisible(spanned || option.adjustable);
    });
}

void OptionForm::addResultLine(QFormLayout& form) {
  QLabel* const line = quietLabel({});
  line->setObjectName(QStringLiteral("ofResult"));
  line->hide();
  form.addRow(line);
  ofResult_.push_back(line);
}

void OptionForm::setResultName(const QString& name) {
  for (QLabel* line : ofResult_) {
    line->setText(tr("For the result of %1:").arg(name));
    line->setVisible(!name.isEmpty());
  }
}

OptionValues OptionForm::values() const {
  OptionValues values;
  for (const auto& [name, row] : rows_) values[name] = row.read();
  return values;
}

void OptionForm::setValues(const OptionValues& values) {
  for (const auto& [name, value] : values) {
    const auto row = rows_.find(name);
    if (row != rows_.end() && row->second.read() != value) row->second.show(value);
  }
  showState();
}

QWidget* OptionForm::editor(const std::string& name) const {
  const auto row = rows_.find(name);
  return row == rows_.end() ? nullptr : row->second.editor;
}

}  // namespace sulcus::ui::widgets
