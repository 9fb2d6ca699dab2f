#include "ui/widgets/layer_properties.h"

#include "ui/model/layer_list_model.h"
#include "ui/scene/colormap.h"
#include "ui/scene/scene_layer.h"
#include "ui/widgets/number_edit.h"
#include "ui/widgets/widget_help.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <limits>

namespace sulcus::ui {
namespace {

QIcon colormapIcon(const std::string& name) {
  const auto table = colormapTable(name);
  QImage strip(int(table.size()), 1, QImage::Format_RGB32);
  for (std::size_t i = 0; i < table.size(); ++i)
    strip.setPixel(int(i), 0, qRgb(table[i][0], table[i][1], table[i][2]));
  return QIcon(QPixmap::fromImage(strip.scaled(64, 14, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)));
}

NumberEdit* freeNumber(const QString& name) {
  auto* edit = new NumberEdit;
  edit->setRange(-std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  edit->setButtonSymbols(QAbstractSpinBox::NoButtons);
  edit->setAccessibleName(name);
  edit->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  edit->setMinimumWidth(64);
  return edit;
}

QWidget* rowOf(std::initializer_list<QWidget*> widgets) {
  auto* row = new QWidget;
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4);
  for (QWidget* widget : widgets)
    line->addWidget(widget, qobject_cast<QSlider*>(widget) || qobject_cast<NumberEdit*>(widget) ? 1 : 0);
  return row;
}

}  // namespace

LayerProperties::LayerProperties(LayerStack& layers, QWidget* parent) : QWidget(parent), layers_(layers) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(8);
  title_ = heading({});
  column->addWidget(title_);
  body_ = new QWidget;
  form_ = new QFormLayout(body_);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setVerticalSpacing(5);
  form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  column->addWidget(body_);
  table_ = new QPushButton(tr("Show table"));
  table_->setObjectName(QStringLiteral("showTable"));
  connect(table_, &QPushButton::clicked, this, &LayerProperties::tableRequested);
  column->addWidget(table_, 0, Qt::AlignLeft);
  buildVolume();
  buildOpacity();
  buildGlyphs();
  buildField();
  buildScalars();
  buildColors();
  buildRange();
  buildThreshold(tr("Hide below"), hideBelow_, below_, &Display::hideBelow);
  buildThreshold(tr("Hide above"), hideAbove_, above_, &Display::hideAbove);
  interpolate_ = new QCheckBox(tr("Smooth between voxels"));
  interpolate_->setObjectName(QStringLiteral("interpolate"));
  connect(interpolate_, &QCheckBox::toggled, this,
          [this](bool on) { change([on](Display& display) { display.interpolate = on; }); });
  form_->addRow(interpolate_);
  colorBar_ = new QCheckBox(tr("Color bar"));
  colorBar_->setObjectName(QStringLiteral("colorBar"));
  connect(colorBar_, &QCheckBox::toggled, this,
          [this](bool on) { change([on](Display& display) { display.colorBar = on; }); });
  form_->addRow(colorBar_);

  cardTitle_ = heading(tr("Orientation card"));
  card_ = quietLabel({});
  card_->setObjectName(QStringLiteral("card"));
  column->addWidget(cardTitle_);
  column->addWidget(card_);
  column->addStretch(1);

  const auto showIfCurrent = [this](LayerId id) {
    if (id == layers_.current()) show();
  };
  connect(&layers_, &LayerStack::currentChanged, this, &LayerProperties::show);
  connect(&layers_, &LayerStack::displayChanged, this, showIfCurrent);
  connect(&layers_, &LayerStack::contentChanged, this, showIfCurrent);
  show();
}

void LayerProperties::change(const std::function<void(Display&)>& edit) {
  const LayerState* state = layers_.find(layers_.current());
  if (!state) return;
  Display display = state->display;
  edit(display);
  layers_.setDisplay(state->id, display);
}

void LayerProperties::buildOpacity() {
  opacity_ = new QSlider(Qt::Horizontal);
  opacity_->setObjectName(QStringLiteral("opacity"));
  opacity_->setRange(0, 100);
  opacity_->setAccessibleName(tr("Opacity"));
  guardWheel(opacity_);
  opacityValue_ = new QSpinBox;
  opacityValue_->setRange(0, 100);
  opacityValue_->setSuffix(tr(" %"));
  opacityValue_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  opacityValue_->setAccessibleName(tr("Opacity in percent"));
  guardWheel(opacityValue_);
  const auto set = [this](int percent) {
    change([percent](Display& display) { display.opacity = percent / 100.0; });
  };
  connect(opacity_, &QSlider::valueChanged, this, set);
  connect(opacityValue_, &QSpinBox::valueChanged, this, set);
  opacityRow_ = rowOf({opacity_, opacityValue_});
  form_->addRow(tr("Opacity"), opacityRow_);
}

void LayerProperties::buildColors() {
  colormap_ = new QComboBox;
  colormap_->setObjectName(QStringLiteral("colormap"));
  colormap_->setAccessibleName(tr("Colors"));
  colormap_->setIconSize({64, 14});
  colormap_->setMinimumContentsLength(6);
  colormap_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const auto& name : colormapNames())
    colormap_->addItem(colormapIcon(name), QString::fromStdString(name));
  guardWheel(colormap_);
  connect(colormap_, &QComboBox::currentTextChanged, this, [this](const QString& name) {
    change([&](Display& display) { display.colormap = name.toStdString(); });
  });
  form_->addRow(tr("Colors"), colormap_);
}

void LayerProperties::buildRange() {
  low_ = freeNumber(tr("Lower end of the colors"));
  low_->setObjectName(QStringLiteral("rangeLow"));
  high_ = freeNumber(tr("Upper end of the colors"));
  high_->setObjectName(QStringLiteral("rangeHigh"));
  auto* automatic = new QToolButton;
  automatic->setObjectName(QStringLiteral("rangeAuto"));
  automatic->setText(tr("Auto"));
  automatic->setToolTip(tr("2nd to 98th percentile of the shown volume"));
  automatic->setFocusPolicy(Qt::StrongFocus);
  const auto set = [this] {
    change([this](Display& display) { display.range = Range{low_->value(), high_->value()}; });
  };
  connect(low_, &QDoubleSpinBox::valueChanged, this, set);
  connect(high_, &QDoubleSpinBox::valueChanged, this, set);
  connect(automatic, &QToolButton::clicked, this, [this] {
    const LayerState* state = layers_.find(layers_.current());
    if (!state) return;
    if (const auto range = automaticRangeOf(*state->layer, state->volume))
      change([&](Display& display) { display.range = range; });
  });
  rangeRow_ = rowOf({low_, high_, automatic});
  form_->addRow(tr("Range"), rangeRow_);
}

void LayerProperties::buildThreshold(const QString& label, QCheckBox*& box, NumberEdit*& edit,
                                     std::optional<double> Display::*member) {
  box = new QCheckBox(label);
  edit = freeNumber(label);
  QCheckBox* const check = box;
  NumberEdit* const number = edit;
  const auto set = [this, check, number, member] {
    number->setEnabled(check->isChecked());
    change([&](Display& display) {
      display.*member = check->isChecked() ? std::optional(number->value()) : std::nullopt;
    });
  };
  connect(check, &QCheckBox::toggled, this, set);
  connect(number, &QDoubleSpinBox::valueChanged, this, set);
  box->setObjectName(member == &Display::hideBelow ? QStringLiteral("hideBelow")
                                                   : QStringLiteral("hideAbove"));
  edit->setObjectName(box->objectName() + QStringLiteral("Value"));
  edit->setEnabled(false);
  QWidget*& row = member == &Display::hideBelow ? belowRow_ : aboveRow_;
  row = rowOf({check, number});
  form_->addRow(row);
}

void LayerProperties::buildVolume() {
  volume_ = new QSlider(Qt::Horizontal);
  volume_->setObjectName(QStringLiteral("volume"));
  volume_->setAccessibleName(tr("Volume of the series"));
  volume_->setPageStep(1);
  volumeValue_ = new QSpinBox;
  volumeValue_->setAccessibleName(tr("Volume of the series"));
  volumeValue_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  guardWheel(volumeValue_);
  const auto set = [this](int volume) { layers_.setVolume(layers_.current(), volume); };
  connect(volume_, &QSlider::valueChanged, this, set);
  connect(volumeValue_, &QSpinBox::valueChanged, this, set);
  volumeRow_ = rowOf({volume_, volumeValue_});
  form_->addRow(tr("Volume"), volumeRow_);
  // One line, never wrapped: a label that grows in height would move the rows below it.
  volumeName_ = new QLabel;
  volumeName_->setForegroundRole(QPalette::PlaceholderText);
  volumeName_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  form_->addRow(volumeName_);
}

void LayerProperties::setRowVisible(QWidget* field, bool visible) { form_->setRowVisible(field, visible); }

void LayerProperties::show() {
  const LayerState* state = layers_.find(layers_.current());
  body_->setVisible(state != nullptr);
  table_->setVisible(state && std::holds_alternative<TableLayer>(state->layer->content));
  if (!state) {
    title_->setText(tr("No layer"));
    card_->clear();
    cardTitle_->hide();
    return;
  }
  const Display& display = state->display;
  const auto* volume = std::get_if<VolumeLayer>(&state->layer->content);
  const bool drawn = !std::holds_alternative<TableLayer>(state->layer->content) &&
                     !std::holds_alternative<CurveLayer>(state->layer->content);
  title_->setText(state->name);
  setRowVisible(opacityRow_, drawn);
  const bool mesh = std::holds_alternative<MeshLayer>(state->layer->content);
  const auto* field = std::get_if<DisplacementLayer>(&state->layer->content);
  const bool lines = field && fieldShape_->currentIndex() != int(FieldStyle::Shape::magnitude);
  const bool byLength = field && (!lines || fieldColor_->currentIndex() == int(FieldStyle::Color::length));
  const bool scalars = shownScalars(*state->layer, state->volume) != nullptr;
  setRowVisible(scalars_, mesh && !std::get<MeshLayer>(state->layer->content).mesh->pointScalars.empty());
  showScalars(*state);
  setRowVisible(colormap_, volume || scalars || byLength);
  setRowVisible(rangeRow_, volume || scalars || byLength);
  setRowVisible(colorBar_, volume || scalars || byLength);
  setRowVisible(belowRow_, volume || (field && !lines));
  setRowVisible(aboveRow_, volume || (field && !lines));
  setRowVisible(interpolate_, volume || (field && !lines));
  setRowVisible(fieldShape_, field != nullptr);
  setRowVisible(withoutAffine_, field != nullptr);
  setRowVisible(fieldEvery_, lines);
  setRowVisible(fieldColor_, lines);
  setRowVisible(convention_, field && !state->layer->source.empty());
  if (field) convention_->setCurrentIndex(int(field->convention));
  const bool peaks = std::holds_alternative<PeaksLayer>(state->layer->content);
  setRowVisible(glyphs_, peaks);
  setRowVisible(glyphScale_, peaks);
  const int count = volume ? volume->series->count : 1;
  setRowVisible(volumeRow_, count > 1);

  const QSignalBlocker quiet[] = {
      QSignalBlocker(opacity_),   QSignalBlocker(opacityValue_), QSignalBlocker(colormap_),
      QSignalBlocker(low_),       QSignalBlocker(high_),         QSignalBlocker(hideBelow_),
      QSignalBlocker(hideAbove_), QSignalBlocker(below_),        QSignalBlocker(above_),
      QSignalBlocker(volume_),    QSignalBlocker(volumeValue_),  QSignalBlocker(interpolate_),
      QSignalBlocker(colorBar_)};
  opacity_->setValue(int(display.opacity * 100 + 0.5));
  opacityValue_->setValue(int(display.opacity * 100 + 0.5));
  colormap_->setCurrentText(QString::fromStdString(display.colormap));
  const Range range = display.range.value_or(Range{});
  low_->setValue(range.low);
  high_->setValue(range.high);
  hideBelow_->setChecked(display.hideBelow.has_value());
  below_->setEnabled(display.hideBelow.has_value());
  below_->setValue(display.hideBelow.value_or(range.low));
  hideAbove_->setChecked(display.hideAbove.has_value());
  above_->setEnabled(display.hideAbove.has_value());
  above_->setValue(display.hideAbove.value_or(range.high));
  interpolate_->setChecked(display.interpolate);
  colorBar_->setChecked(display.colorBar);
  volume_->setRange(0, count - 1);
  volume_->setValue(state->volume);
  volumeValue_->setRange(0, count - 1);
  volumeValue_->setSuffix(tr(" of %1").arg(count - 1));
  volumeValue_->setValue(state->volume);

  QString volumeText;
  if (volume && state->volume < int(volume->volumeNames.size()))
    volumeText = QString::fromStdString(volume->volumeNames[std::size_t(state->volume)]);
  else if (volume && state->volume < int(volume->gradients.rows.size())) {
    const Gradient& g = volume->gradients.rows[std::size_t(state->volume)];
    volumeText = tr("b = %1 s/mm²").arg(g.b, 0, 'f', 0);
    if (g.b >= kB0Threshold)
      volumeText += tr(" along (%1, %2, %3)")
                        .arg(g.directionWorld.x, 0, 'f', 2)
                        .arg(g.directionWorld.y, 0, 'f', 2)
                        .arg(g.directionWorld.z, 0, 'f', 2);
  }
  volumeName_->setText(volumeText);
  setRowVisible(volumeName_, !volumeText.isEmpty());
  showCard(*state);
}

}  // namespace sulcus::ui
