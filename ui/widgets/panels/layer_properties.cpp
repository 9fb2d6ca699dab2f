#include "ui/widgets/panels/layer_properties.h"

#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/tract_coloring.h"
#include "core/math/strided_sample.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/scene/scene_layer.h"
#include "ui/widgets/controls/color_map_box.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/range_histogram.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/finding_notice.h"
#include "ui/widgets/panels/label_list.h"
#include "ui/widgets/panels/layer_card.h"
#include "ui/widgets/window/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <ranges>
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
    : layers_(layers), player_(player), findings_(findings), leftOut_(leftOut) {
  auto* column = padded<QVBoxLayout>(this, {12, 8, 12, 10}, 8);
  title_ = heading({});
  title_->setWordWrap(true);  // names of results may be long
  column->addWidget(title_);
  finding_ = new FindingNotice;
  column->addWidget(finding_);
  connect(finding_, &FindingNotice::mendRequested, this, [this] {
    if (const Finding* finding = findings_.of(layers_.current()))
      emit reinterpretationChosen(layers_.current(), finding->reinterpretation);
  });
  connect(finding_, &FindingNotice::dismissed, this, [this] { findings_.dismiss(layers_.current()); });
  body_ = new QWidget;
  form_ = tight<QFormLayout>(body_);
  form_->setVerticalSpacing(5);
  form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  column->addWidget(body_);
  table_ = named("showTable", new QPushButton(tr("Show table")));
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

  card_ = new LayerCard(analyses);
  column->addWidget(card_);
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
  auto* slider = named("volume", new QSlider(Qt::Horizontal), tr("Volume of the series"));
  slider->setPageStep(1);
  QSpinBox* number = spinBox("volumeNumber", tr("Volume of the series"), {}, {0, 0});
  number->setButtonSymbols(QAbstractSpinBox::NoButtons);
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
  auto* slider = named("opacity", new QSlider(Qt::Horizontal), tr("Opacity"));
  slider->setRange(0, 100);
  guardWheel(slider);
  QSpinBox* number = spinBox("opacityPercent", tr("Opacity in percent"), {}, {0, 100}, tr(" %"));
  number->setButtonSymbols(QAbstractSpinBox::NoButtons);
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
    auto* box = named(name, new ColorMapBox(none), label);
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
  NumberEdit* low = named("rangeLow", freeNumber(tr("Lower end of the colors")));
  NumberEdit* high = named("rangeHigh", freeNumber(tr("Upper end of the colors")));
  QToolButton* automatic =
      toolButton("rangeAuto", tr("Auto"), tr("2nd to 98th percentile of the shown volume"));
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
  histogram_ = named("histogram", new RangeHistogram,
                     tr("How often values occur, with handles for range and thresholds"));
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
  auto* check = named(name, new QCheckBox(label));
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
  auto* check = named(name, new QCheckBox(label));
  connect(check, &QCheckBox::toggled, this,
          [this, on](bool checked) { change([&](Display& display) { display.*on = checked; }); });
  addRow({}, check, wanted,
         [check, on](const model::LayerState& state) { check->setChecked(state.display.*on); });
}

void LayerProperties::addPlayer() {
  QToolButton* play = textButton(tr("Play"), tr("Plays the volumes (V)"), "play");
  play->setIcon(themeIcon(QStringLiteral("play")));
  play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  play->setCheckable(true);
  NumberEdit* rate =
      numberEdit("playRate", tr("Volumes a second"), tr("Volumes a second"), {0.5, 30}, tr(" per s"));
  rate->setStepType(QAbstractSpinBox::DefaultStepType);
  auto* row = new QWidget;
  auto* line = tight<QHBoxLayout>(row);
  line->addWidget(play);
  line->addWidget(rate);
  line->addStretch(1);
  const auto showPlayer = [this, play, rate] {
    const QSignalBlocker quiet(rate);
    play->setChecked(player_.isPlaying());
    rate->setValue(player_.rate());
  };
  connect(play, &QToolButton::clicked, &player_, &model::SeriesPlayer::setPlaying);
  connect(rate, &QDoubleSpinBox::valueChanged, &player_, &model::SeriesPlayer::setRate);
  connect(&player_, &model::SeriesPlayer::changed, this, showPlayer);
  showPlayer();
  addRow({}, row, &LayerTraits::series);
}

void LayerProperties::addLeftOut() {
  auto* leaveOut = named("leaveOut", new QCheckBox(tr("Exclude this volume")), {},
                         tr("Analyses of this series will not use it."));
  auto* all = named("leftOut", new Label, {}, tr("Excluded volumes"));
  all->setForegroundRole(QPalette::PlaceholderText);
  all->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* row = new QWidget;
  auto* line = tight<QHBoxLayout>(row);
  line->addWidget(leaveOut);
  line->addWidget(all, 1);
  connect(leaveOut, &QCheckBox::clicked, this, [this] {
    emit leaveOutRequested();
    show();  // as it is now: a list that cannot be parsed stays
  });
  addRow({}, row, &LayerTraits::leavable, [this, leaveOut, all](const model::LayerState& state) {
    QStringList numbers;
    const auto volumes = leftOut_.of(state.id);
    for (const int volume : volumes) numbers << QString::number(volume);
    leaveOut->setChecked(volumes.contains(state.volume));
    all->setText(numbers.join(QStringLiteral(", ")));
  });
}

void LayerProperties::addOpacityBy() {
  const auto addBox = [this](const char* name, const QString& label, const QString& full, const QString& tip,
                             bool LayerTraits::*wanted) {
    ElidedComboBox* image = nameBox(name, full, tip, 6);
    connect(image, &QComboBox::activated, this,
            [this, image] { layers_.setOpacityBy(layers_.current(), image->currentData().toInt()); });
    addRow(label, image, wanted, [this, image](const model::LayerState& state) {
      image->clear();
      image->addItem(tr("no image"), 0);
      for (const model::LayerState& other : std::views::reverse(layers_.layers()))  // as in the list
        if (other.id != state.id && model::mayBeOpacity(*other.layer)) image->addItem(other.name, other.id);
      image->setCurrentIndex(std::max(0, image->findData(state.opacityBy)));
    });
  };
  addBox("opacityBy", tr("Opacity from"), tr("Image that sets the opacity of the layer"),
         tr("Transparent where that image is at or below the low end of its range, opaque at the high end; "
            "it need not "
            "be visible"),
         &LayerTraits::planes);
  addBox("colorsBy", tr("Colors from"), tr("Image that colors the lines"),
         tr("The values of that image along the lines, over its range; it need not be visible"),
         &LayerTraits::tracts);
}

void LayerProperties::addGlyphs() {
  QComboBox* shape = comboBox(
      "glyphs", tr("Glyphs"),
      tr("Sticks show the peaks, lobes the function whose maxima the peaks are, ellipsoids a diffusion "
         "tensor, with the square roots of its eigenvalues as semi-axes"),
      {tr("sticks"), tr("lobes"), tr("both"), tr("ellipsoids")});  // in the order of GlyphStyle::Shape
  NumberEdit* scale = numberEdit("glyphScale", tr("Size of the glyphs"),
                                 tr("1: the largest glyph fills its voxel"), {0.1, 10});
  scale->setValue(1);
  const auto wanted =
      std::make_shared<int>(shape->currentIndex());  // of those with which the current layer can be drawn
  NumberEdit* width = numberEdit(
      "tractWidth", tr("Width of the lines"),
      tr("In pixels of an ordinary screen; from 3 on, a small number of lines is drawn as tubes"), {0.5, 10});
  width->setValue(scene::GlyphStyle().tractWidth);
  const auto tell = [this, shape, scale, width, wanted] {
    *wanted = shape->currentIndex();
    scene::GlyphStyle style;
    style.shape = scene::GlyphStyle::Shape(shape->currentIndex());
    style.scale = scale->value();
    style.tractWidth = width->value();
    emit glyphStyleChanged(style);
  };
  connect(shape, &QComboBox::currentIndexChanged, this, tell);
  connect(scale, &QDoubleSpinBox::valueChanged, this, tell);
  connect(width, &QDoubleSpinBox::valueChanged, this, tell);
  addRow(tr("Glyphs"), shape, &LayerTraits::glyphShapes, [shape, wanted](const model::LayerState& state) {
    using Shape = scene::GlyphStyle::Shape;
    const auto* peaks = std::get_if<PeaksLayer>(&state.layer->content);
    const bool hasFunction = peaks && peaks->tensor, hasTensor = hasFunction && peaks->tensor->count == 6;
    auto* items = qobject_cast<QStandardItemModel*>(shape->model());
    for (const Shape one : {Shape::lobes, Shape::both}) items->item(int(one))->setEnabled(hasFunction);
    items->item(int(Shape::ellipsoids))->setEnabled(hasTensor);
    const bool canBe = items->item(*wanted)->isEnabled();
    const QSignalBlocker quiet(shape);  // the style stays for layers that can be drawn with it
    shape->setCurrentIndex(int(hasFunction ? Shape::lobes : Shape::sticks));
    if (canBe) shape->setCurrentIndex(*wanted);
  });
  addRow(tr("Glyph size"), scale, &LayerTraits::peaks);
  addRow(tr("Line width"), width, &LayerTraits::tracts);
}

void LayerProperties::addField() {
  // The texts of both boxes are in the order of their enumerations in FieldStyle.
  fieldShape_ = comboBox(
      "fieldShape", tr("Drawn as"),
      tr("Where each point x of the fixed image lies in the moving image, x + u(x): the grid moved there, or "
         "arrows "
         "that lead there. The moving image's tissue moves the other way."),
      {tr("warped grid"), tr("arrows"), tr("magnitude")});
  fieldColor_ = comboBox("fieldColor", tr("Color of lines"),
                         tr("By direction: left-right red, front-back green, up-down blue"),
                         {tr("by length"), tr("by direction"), tr("plain")});
  QSpinBox* every = spinBox("fieldEvery", tr("Voxels between lines or arrows"), {}, {0, 100}, tr(" voxels"));
  every->setSpecialValueText(tr("auto"));
  auto* withoutAffine =
      named("fieldWithoutAffine", new QCheckBox(tr("Leave out the affine part")), {},
            tr("Subtracts the affine map that fits best, so that only the deformation beyond it shows"));
  const auto tell = [this, every, withoutAffine] {
    scene::FieldStyle style;
    style.shape = scene::FieldStyle::Shape(fieldShape_->currentIndex());
    style.color = scene::FieldStyle::Color(fieldColor_->currentIndex());
    style.every = every->value();
    style.withoutAffine = withoutAffine->isChecked();
    show();  // the style determines which rows there are
    emit fieldStyleChanged(style);
  };
  connect(fieldShape_, &QComboBox::currentIndexChanged, this, tell);
  connect(fieldColor_, &QComboBox::currentIndexChanged, this, tell);
  connect(every, &QSpinBox::valueChanged, this, tell);
  connect(withoutAffine, &QCheckBox::toggled, this, tell);
  QComboBox* convention =
      comboBox("fieldConvention", tr("Convention of the file"),
               tr("Convention of the vectors in the file: flips their x and y"),
               {tr("ITK, ANTs (LPS)"), tr("3D Slicer (RAS)")});  // in the order of FieldConvention
  connect(convention, &QComboBox::activated, this,
          [this](int index) { emit conventionChosen(layers_.current(), FieldConvention(index)); });
  addRow(tr("Drawn as"), fieldShape_, &LayerTraits::field);
  addRow(tr("Every"), every, &LayerTraits::fieldLines);
  addRow(tr("Line color"), fieldColor_, &LayerTraits::fieldLines);
  addRow({}, withoutAffine, &LayerTraits::field);
  addRow(tr("Read as"), convention, &LayerTraits::fieldFile, [convention](const model::LayerState& state) {
    convention->setCurrentIndex(int(std::get<DisplacementLayer>(state.layer->content).convention));
  });
}

void LayerProperties::setStyles(const scene::GlyphStyle& glyphs, const scene::FieldStyle& fields) {
  findChild<QComboBox*>(QStringLiteral("glyphs"))->setCurrentIndex(int(glyphs.shape));
  findChild<NumberEdit*>(QStringLiteral("glyphScale"))->setValue(glyphs.scale);
  findChild<NumberEdit*>(QStringLiteral("tractWidth"))->setValue(glyphs.tractWidth);
  fieldShape_->setCurrentIndex(int(fields.shape));
  fieldColor_->setCurrentIndex(int(fields.color));
  findChild<QSpinBox*>(QStringLiteral("fieldEvery"))->setValue(fields.every);
  findChild<QCheckBox*>(QStringLiteral("fieldWithoutAffine"))->setChecked(fields.withoutAffine);
}

void LayerProperties::addScalars() {
  QComboBox* scalars = comboBox("scalars", tr("What colors the surface"));
  connect(scalars, &QComboBox::activated, this, [this](int index) { setVolume(index - 1); });
  addRow(tr("Colored by"), scalars, &LayerTraits::scalars, [scalars](const model::LayerState& state) {
    QStringList names{tr("plain")};
    for (const auto& [name, values] : std::get<MeshLayer>(state.layer->content).mesh->pointScalars)
      names << model::words(name);
    scalars->clear();
    scalars->addItems(names);
    scalars->setCurrentIndex(scene::shownScalars(*state.layer, state.volume) ? state.volume + 1 : 0);
  });
}

void LayerProperties::addTracts() {
  QComboBox* coloring = comboBox("tractColoring", tr("What colors the lines"),
                                 tr("By direction: left-right red, front-back green, up-down blue. An image "
                                    "colors the lines where it is "
                                    "chosen below"));
  connect(coloring, &QComboBox::activated, this, [this](int index) { setVolume(index); });
  addRow(tr("Colored by"), coloring, &LayerTraits::tracts, [coloring](const model::LayerState& state) {
    coloring->clear();
    for (const auto& name : coloringNames(*std::get<TractsLayer>(state.layer->content).tracts))
      coloring->addItem(model::words(name));
    coloring->setCurrentIndex(state.volume);
  });
}

void LayerProperties::addCut() {
  QComboBox* cut = comboBox("cut", tr("Clip at the crosshair"),
                            tr("Cuts the layer open in 3D, in front of the crosshair"));
  connect(cut, &QComboBox::activated, this,
          [this, cut] { change([&](Display& display) { display.cut = Cut(cut->currentData().toInt()); }); });
  addRow(tr("Clip"), cut, &LayerTraits::solid, [cut](const model::LayerState& state) {
    cut->clear();
    for (const auto& [text, value] : {std::pair(tr("no"), Cut::nothing),
                                      {tr("nearest octant"), Cut::octant},
                                      {tr("along the axial slice"), Cut::axial},
                                      {tr("along the coronal slice"), Cut::coronal},
                                      {tr("along the sagittal slice"), Cut::sagittal},
                                      {tr("half that faces you"), Cut::facing}})
      if (value != Cut::octant || std::holds_alternative<VolumeLayer>(state.layer->content))
        cut->addItem(text, int(value));
    cut->setCurrentIndex(std::max(0, cut->findData(int(state.display.cut))));
  });
}

void LayerProperties::addLabels(model::LabelLists& lists) {
  addSwitch("outline", tr("Outline only"), &Display::outline, &LayerTraits::labels);
  labels_ = new LabelList(lists);
  connect(&lists, &model::LabelLists::listed, this, [this](model::LayerId id) {
    if (id == layers_.current()) show();
  });
  connect(labels_, &LabelList::placeChosen, this, &LayerProperties::placeChosen);
  connect(labels_, &LabelList::entryChanged, this, [this](sulcus::Label label, const LabelEntry& entry) {
    const model::LayerState* state = layers_.find(layers_.current());
    const LayerPtr changed = state ? model::withLabelEntry(*state->layer, label, entry) : nullptr;
    if (changed) layers_.replaceContent(state->id, changed, true);
  });
  connect(labels_, &LabelList::relabelRequested, this,
          [this, &lists](const std::set<sulcus::Label>& from, sulcus::Label to) {
            lists.relabel(layers_.current(), from, to);
          });
  addRow({}, labels_, &LayerTraits::anyLabels,
         [this](const model::LayerState& state) { labels_->show(state); });
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
  card_->setVisible(state != nullptr);
  finding_->show(state ? findings_.of(state->id) : nullptr);
  if (!state) {
    title_->setText(tr("No layer"));
    return card_->fold();
  }
  title_->setText(breakable(model::nameForEye(layers_, state->name)));
  const LayerTraits traits = traitsOf(*state);
  for (const Row& row : rows_) form_->setRowVisible(row.field, traits.*row.wanted);
  const QScopedValueRollback<bool> filling(showing_, true);
  for (const Row& row : rows_)
    if (row.show && traits.*row.wanted) row.show(*state);
  card_->show(*state);
}

}  // namespace sulcus::ui::widgets
