#include "ui/widgets/panels/layer_properties.h"

#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/tract_coloring.h"
#include "core/math/strided_sample.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/scene/scene_layer.h"
#include "ui/widgets/controls/color_map_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/range_histogram.h"
#include "ui/widgets/controls/widget_help.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <cstdint>
#include <limits>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

NumberEdit* freeNumber(const QString& name) {
  auto* edit = new NumberEdit;
  edit->setRange(-std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  edit->setButtonSymbols(QAbstractSpinBox::NoButtons);
  edit->setAccessibleName(name);
  edit->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  edit->setMinimumWidth(edit->minimumSizeHint().width());
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

/// A regular sample of a volume's values, enough for a histogram.
std::vector<float> sampleOf(const Series<float>& series, int volume) {
  constexpr std::int64_t kEnough = 60'000;
  std::vector<float> sample;
  forStridedSample(series.grid.voxels(), kEnough,
                   [&](std::int64_t i) { sample.push_back(series.at(i, volume)); });
  return sample;
}

/// The name or gradient of the current volume of a series.
QString volumeText(const model::LayerState& state) {
  const auto* volume = std::get_if<VolumeLayer>(&state.layer->content);
  if (!volume) return {};
  if (state.volume < int(volume->volumeNames.size()))
    return model::words(volume->volumeNames[std::size_t(state.volume)]);
  if (state.volume >= int(volume->gradients.rows.size())) return {};
  const Gradient& g = volume->gradients.rows[std::size_t(state.volume)];
  QString text = LayerProperties::tr("b = %1 s/mm²").arg(g.b, 0, 'f', 0);
  if (g.b >= kB0Threshold)
    text += LayerProperties::tr(" along (%1, %2, %3)")
                .arg(g.directionWorld.x, 0, 'f', 2)
                .arg(g.directionWorld.y, 0, 'f', 2)
                .arg(g.directionWorld.z, 0, 'f', 2);
  return text;
}

}  // namespace

LayerProperties::LayerProperties(model::LayerStack& layers, model::SeriesPlayer& player,
                                 model::Findings& findings, model::LabelLists& lists,
                                 model::LeftOutVolumes& leftOut, const std::vector<Analysis>& analyses)
    : layers_(layers), player_(player), findings_(findings), leftOut_(leftOut), analyses_(analyses) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(8);
  title_ = heading({});
  title_->setWordWrap(true);  // names of results may be long
  column->addWidget(title_);
  addFinding(*column);
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
  addVolume();
  addPlayer();
  addLeftOut();
  addOpacity();
  addOpacityBy();
  addGlyphs();
  addField();
  addScalars();
  addTracts();
  addLabels(lists);
  addColors();
  addHistogram();
  addRange();
  addThreshold("hideBelow", tr("Hide below"), &Display::hideBelow, &Range::low);
  addThreshold("hideAbove", tr("Hide above"), &Display::hideAbove, &Range::high);
  addSwitch("fade", tr("Fade below threshold"), &Display::fade, &LayerTraits::voxelValues);
  addSwitch("rendered", tr("Volume rendering"), &Display::rendered, &LayerTraits::volume);
  addCut();
  addSwitch("interpolate", tr("Smooth between voxels"), &Display::interpolate, &LayerTraits::voxelValues);
  addSwitch("colorBar", tr("Color bar"), &Display::colorBar, &LayerTraits::colormapped);

  addCard(*column);
  column->addStretch(1);

  const auto outdate = [this] { outdated_ = true; };
  const auto outdateIfCurrent = [this](model::LayerId id) {
    outdated_ = outdated_ || id == layers_.current();
  };
  connect(&layers_, &model::LayerStack::currentChanged, this, outdate);
  connect(&layers_, &model::LayerStack::displayChanged, this, outdateIfCurrent);
  connect(&layers_, &model::LayerStack::contentChanged, this, outdateIfCurrent);
  connect(&layers_, &model::LayerStack::removed, this, outdate);
  connect(&layers_, &model::LayerStack::changed, this, [this] {
    if (std::exchange(outdated_, false)) show();
  });
  connect(&leftOut_, &model::LeftOutVolumes::changed, this, &LayerProperties::show);
  connect(&findings_, &model::Findings::changed, this, [this](model::LayerId id) {
    if (id == layers_.current()) show();
  });
  show();
}

void LayerProperties::change(const std::function<void(Display&)>& edit) { change(layers_.current(), edit); }

void LayerProperties::change(model::LayerId id, const std::function<void(Display&)>& edit) {
  const model::LayerState* state = layers_.find(id);
  if (showing_ || !state) return;
  Display display = state->display;
  edit(display);
  layers_.setDisplay(state->id, display);
}

void LayerProperties::setVolume(int volume) {
  if (!showing_) layers_.setVolume(layers_.current(), volume);
}

void LayerProperties::addRow(const QString& label, QWidget* field, bool LayerTraits::*wanted,
                             ShowLayer show) {
  label.isEmpty() ? form_->addRow(field) : form_->addRow(label, field);
  rows_.push_back({field, wanted, std::move(show)});
}

void LayerProperties::addVolume() {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setObjectName(QStringLiteral("volume"));
  slider->setAccessibleName(tr("Volume of the series"));
  slider->setPageStep(1);
  auto* number = new QSpinBox;
  number->setAccessibleName(tr("Volume of the series"));
  number->setButtonSymbols(QAbstractSpinBox::NoButtons);
  guardWheel(number);
  connect(slider, &QSlider::valueChanged, this, &LayerProperties::setVolume);
  connect(number, &QSpinBox::valueChanged, this, &LayerProperties::setVolume);
  addRow(tr("Volume"), rowOf({slider, number}), &LayerTraits::series,
         [slider, number](const model::LayerState& state) {
           const int last = std::get<VolumeLayer>(state.layer->content).series->count - 1;
           slider->setRange(0, last);
           slider->setValue(state.volume);
           number->setRange(0, last);
           number->setSuffix(tr(" of %1").arg(last));
           number->setValue(state.volume);
         });
  // One line, never wrapped: a label that grows in height would move the rows below it.
  auto* name = new Label;
  name->setForegroundRole(QPalette::PlaceholderText);
  name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  addRow({}, name, &LayerTraits::volumeText,
         [name](const model::LayerState& state) { name->setText(volumeText(state)); });
}

void LayerProperties::addOpacity() {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setObjectName(QStringLiteral("opacity"));
  slider->setRange(0, 100);
  slider->setAccessibleName(tr("Opacity"));
  guardWheel(slider);
  auto* number = new QSpinBox;
  number->setRange(0, 100);
  number->setSuffix(tr(" %"));
  number->setButtonSymbols(QAbstractSpinBox::NoButtons);
  number->setAccessibleName(tr("Opacity in percent"));
  guardWheel(number);
  const auto set = [this](int percent) {
    change([percent](Display& display) { display.opacity = percent / 100.0; });
  };
  connect(slider, &QSlider::valueChanged, this, set);
  connect(number, &QSpinBox::valueChanged, this, set);
  addRow(tr("Opacity"), rowOf({slider, number}), &LayerTraits::drawn,
         [slider, number](const model::LayerState& state) {
           const int percent = int(state.display.opacity * 100 + 0.5);
           slider->setValue(percent);
           number->setValue(percent);
         });
}

void LayerProperties::addColors() {
  const auto add = [this](const char* name, const QString& label, const QString& none,
                          std::string Display::*map, bool LayerTraits::*wanted) {
    auto* box = new ColorMapBox(none);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(label);
    connect(box, &ColorMapBox::chosen, this, [this, map](const std::string& chosen, model::LayerId id) {
      change(id, [&](Display& display) { display.*map = chosen; });
    });
    addRow(label, box, wanted,
           [box, map](const model::LayerState& state) { box->setMap(state.display.*map, state.id); });
    return box;
  };
  add("colormap", tr("Colors"), {}, &Display::colormap, &LayerTraits::colormapped);
  add("negativeColormap", tr("Negative colors"), tr("the same"), &Display::negativeColormap,
      &LayerTraits::signs)
      ->setToolTip(tr("Colors of negative values: range and thresholds then apply to absolute values"));
}

void LayerProperties::addRange() {
  NumberEdit* low = freeNumber(tr("Lower end of the colors"));
  low->setObjectName(QStringLiteral("rangeLow"));
  NumberEdit* high = freeNumber(tr("Upper end of the colors"));
  high->setObjectName(QStringLiteral("rangeHigh"));
  auto* automatic = new QToolButton;
  automatic->setObjectName(QStringLiteral("rangeAuto"));
  automatic->setText(tr("Auto"));
  automatic->setToolTip(tr("2nd to 98th percentile of the shown volume"));
  automatic->setFocusPolicy(Qt::StrongFocus);
  const auto set = [this, low, high] {
    change([low, high](Display& display) { display.range = Range{low->value(), high->value()}; });
  };
  connect(low, &QDoubleSpinBox::valueChanged, this, set);
  connect(high, &QDoubleSpinBox::valueChanged, this, set);
  connect(automatic, &QToolButton::clicked, this, [this] {
    const model::LayerState* state = layers_.find(layers_.current());
    if (!state) return;
    if (const auto range = model::automaticRangeOf(*state->layer, state->volume))
      change([&](Display& display) { display.range = range; });
  });
  addRow(tr("Range"), rowOf({low, high, automatic}), &LayerTraits::colormapped,
         [low, high](const model::LayerState& state) {
           const Range range = state.display.range.value_or(Range{});
           low->setValue(range.low);
           high->setValue(range.high);
         });
}

void LayerProperties::addHistogram() {
  histogram_ = new RangeHistogram;
  histogram_->setObjectName(QStringLiteral("histogram"));
  histogram_->setAccessibleName(tr("How often values occur, with handles for range and thresholds"));
  connect(histogram_, &RangeHistogram::moved, this, [this] {
    change([this](Display& display) {
      const RangeHistogram::Marks& marks = histogram_->marks();
      display.range = marks.range;
      display.hideBelow = marks.below;
      display.hideAbove = marks.above;
    });
  });
  addRow({}, histogram_, &LayerTraits::volume, [this](const model::LayerState& state) {
    const auto& series = std::get<VolumeLayer>(state.layer->content).series;
    if (series != counted_ || state.volume != countedVolume_) {
      counted_ = series;
      countedVolume_ = state.volume;
      histogram_->setValues(sampleOf(*series, state.volume));
    }
    histogram_->setMarks(
        {state.display.range.value_or(Range{}), state.display.hideBelow, state.display.hideAbove});
  });
}

void LayerProperties::addThreshold(const char* name, const QString& label,
                                   std::optional<double> Display::*limit, double Range::*otherwise) {
  auto* check = new QCheckBox(label);
  check->setObjectName(QLatin1String(name));
  NumberEdit* number = freeNumber(label);
  number->setObjectName(check->objectName() + QStringLiteral("Value"));
  number->setEnabled(false);
  const auto set = [this, check, number, limit] {
    number->setEnabled(check->isChecked());
    change([&](Display& display) {
      display.*limit = check->isChecked() ? std::optional(number->value()) : std::nullopt;
    });
  };
  connect(check, &QCheckBox::toggled, this, set);
  connect(number, &QDoubleSpinBox::valueChanged, this, set);
  addRow({}, rowOf({check, number}), &LayerTraits::voxelValues,
         [check, number, limit, otherwise](const model::LayerState& state) {
           const auto& value = state.display.*limit;
           check->setChecked(value.has_value());
           number->setEnabled(value.has_value());
           number->setValue(value.value_or(state.display.range.value_or(Range{}).*otherwise));
         });
}

void LayerProperties::addSwitch(const char* name, const QString& label, bool Display::*on,
                                bool LayerTraits::*wanted) {
  auto* check = new QCheckBox(label);
  check->setObjectName(QLatin1String(name));
  connect(check, &QCheckBox::toggled, this,
          [this, on](bool checked) { change([&](Display& display) { display.*on = checked; }); });
  addRow({}, check, wanted,
         [check, on](const model::LayerState& state) { check->setChecked(state.display.*on); });
}

LayerTraits LayerProperties::traitsOf(const model::LayerState& state) const {
  const LayerContent& content = state.layer->content;
  const auto* volume = std::get_if<VolumeLayer>(&content);
  const auto* mesh = std::get_if<MeshLayer>(&content);
  LayerTraits traits;
  traits.drawn = !std::holds_alternative<TableLayer>(content) && !std::holds_alternative<CurveLayer>(content);
  traits.series = volume && !volume->colors && volume->series->count > 1;
  traits.leavable = leftOut_.canLeaveOut(state.id);
  traits.volumeText = !volumeText(state).isEmpty();
  traits.volume = volume && !volume->colors;
  traits.tracts = std::holds_alternative<TractsLayer>(content);
  traits.solid = mesh || traits.tracts || (volume && state.display.rendered);
  traits.peaks = std::holds_alternative<PeaksLayer>(content);
  traits.glyphShapes = traits.peaks && !isFunctionAlone(*state.layer);
  traits.field = std::holds_alternative<DisplacementLayer>(content);
  traits.fieldLines = traits.field && fieldShape_->currentIndex() != int(scene::FieldStyle::Shape::magnitude);
  traits.fieldFile = traits.field && !state.layer->source.empty() && state.layer->reinterpretations.empty();
  traits.labels = std::holds_alternative<LabelsLayer>(content);
  const bool pointLabels = scene::shownLabels(*state.layer, state.volume) != nullptr;
  traits.anyLabels = traits.labels || pointLabels;
  traits.scalars = mesh && !mesh->mesh->pointScalars.empty();
  traits.voxelValues = (volume && !volume->colors) || (traits.field && !traits.fieldLines);
  traits.planes = volume || traits.labels || traits.voxelValues;
  const bool lengths =
      traits.fieldLines && fieldColor_->currentIndex() == int(scene::FieldStyle::Color::length);
  traits.signs = traits.volume || (scene::shownScalars(*state.layer, state.volume) && !pointLabels);
  const bool alongLines = traits.tracts && (state.opacityBy || shownTractData(*state.layer, state.volume));
  traits.colormapped = traits.voxelValues || lengths || traits.signs || alongLines;
  return traits;
}

void LayerProperties::show() {
  const model::LayerState* state = layers_.find(layers_.current());
  body_->setVisible(state != nullptr);
  table_->setVisible(state && std::holds_alternative<TableLayer>(state->layer->content));
  cardLine_->setVisible(state != nullptr);
  showFinding(state ? findings_.of(state->id) : nullptr);
  if (!state) {
    title_->setText(tr("No layer"));
    cardLine_->setChecked(false);
    cardWarnings_->hide();
    return;
  }
  title_->setText(breakable(model::nameForEye(layers_, state->name)));
  const LayerTraits traits = traitsOf(*state);
  for (const Row& row : rows_) form_->setRowVisible(row.field, traits.*row.wanted);
  const QScopedValueRollback<bool> filling(showing_, true);
  for (const Row& row : rows_)
    if (row.show && traits.*row.wanted) row.show(*state);
  showCard(*state);
}

}  // namespace sulcus::ui::widgets
